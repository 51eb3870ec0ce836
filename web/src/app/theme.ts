/** Colours, sizes and defaults of Mantine's parts. */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const moss: MantineColorsTuple = [
  "#eef8f4",
  "#dcefe7",
  "#b6dfcf",
  "#8dceb5",
  "#6bc09f",
  "#55b791",
  "#3f9f7c",
  "#2f8266",
  "#2a6f58",
  "#1d5745",
];

/** The options scroll themselves: what would scroll around them could not be reached by the keyboard. */
const OWN_SCROLL = { withScrollArea: false };

export const theme = createTheme({
  primaryColor: "moss",
  colors: { moss },
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Noto Sans Mono', Menlo, Consolas, monospace",
  headings: { fontWeight: "650", sizes: { h1: { fontSize: "1.5rem", lineHeight: "1.3" }, h2: { fontSize: "1.1rem", lineHeight: "1.4" } } },
  components: {
    Autocomplete: { defaultProps: OWN_SCROLL },
    Badge: { defaultProps: { tt: "none" } },
    // The placeholder would be a child that no menu may have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    MultiSelect: { defaultProps: OWN_SCROLL },
    Select: { defaultProps: OWN_SCROLL },
    Tooltip: { defaultProps: { openDelay: 300, withinPortal: true } },
  },
});

/** Quiet text that still has a contrast of 4.5 : 1, which Mantine's own has not. */
export const variables: CSSVariablesResolver = (of) => ({
  variables: {},
  light: { "--mantine-color-dimmed": "#5a6069", "--mantine-color-placeholder": "#6c727a", "--mantine-color-error": of.colors.red[8] },
  dark: { "--mantine-color-dimmed": "#a9afb8", "--mantine-color-placeholder": "#90969e", "--mantine-color-error": of.colors.red[5] },
});
