/** Small line drawings, 24 by 24. They say nothing that words beside them do not say. */
const paths = {
  palace: "M4 20V10l8-6 8 6v10M10 20v-6a2 2 0 0 1 4 0v6M3 20h18",
  run: "M6 4l13 8-13 8z",
  overview: "M4 4h7v9H4zM14 4h6v5h-6zM4 16h7v4H4zM14 12h6v8h-6z",
  filter: "M4 6h16M7 12h10M10 18h4",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4",
  chevron: "M9 6l6 6-6 6",
  back: "M15 6l-6 6 6 6",
  copy: "M9 9h10v11H9zM5 15V4h10",
  check: "M5 12l5 5 9-10",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1 1M18 18l1 1M5 19l1-1M18 6l1-1",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  system: "M3 5h18v11H3zM9 20h6M12 16v4",
  leave: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  warning: "M12 4l9 16H3zM12 10v5M12 17.5v.5",
  empty: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 4-6 8-6s8 2 8 6",
  folder: "M3 6h7l2 2h9v11H3z",
  topic: "M4 6h16M4 12h16M4 18h10",
  talk: "M4 5h16v11H10l-5 4v-4H4z",
  line: "M6 12h12",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2",
  close: "M6 6l12 12M18 6L6 18",
  agent: "M7 9h10v9H7zM12 9V5M9.5 13v.5M14.5 13v.5M4 12v3M20 12v3",
  entity: "M6 6a2.5 2.5 0 1 0 .01 0M18 8a2.5 2.5 0 1 0 .01 0M10 17a2.5 2.5 0 1 0 .01 0M8.4 9.3l8-.3M7.2 11l2.2 5.6M16.2 12.3l-4.4 5.2",
  plus: "M12 5v14M5 12h14",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  activity: "M3 12h4l3-8 4 16 3-8h4",
  coins: "M12 5c5 0 8 1.2 8 2.7s-3 2.7-8 2.7-8-1.2-8-2.7S7 5 12 5zM4 7.7V16c0 1.6 3 3 8 3s8-1.4 8-3V7.7M4 12c0 1.6 3 3 8 3s8-1.4 8-3",
  inbox: "M12 3v10M8 9l4 4 4-4M4 14v6h16v-6",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M18.4 5.6l-2.2 2.2M7.8 16.2l-2.2 2.2",
  dots: "M12 5v.1M12 12v.1M12 19v.1",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
