/** Light, dark, or as the system has it. */
import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";

import { Icon, type IconName } from "../parts/icons";
import { shared } from "../texts/shared";

const icons: Record<MantineColorScheme, IconName> = { light: "sun", dark: "moon", auto: "system" };

export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const words = shared.scheme;
  return (
    <Menu position="top" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`${words.label}: ${words[colorScheme]}`}>
          <Icon name={icons[colorScheme]} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(["light", "dark", "auto"] as const).map((each) => (
          <Menu.Item
            key={each}
            leftSection={<Icon name={icons[each]} />}
            rightSection={each === colorScheme ? <Icon name="check" size={14} /> : null}
            onClick={() => setColorScheme(each)}
          >
            {words[each]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
