import type { ReactElement } from 'react'

/** Icon shapes on a 24 × 24 grid, drawn as strokes in the current colour. */
export const iconShapes = {
  account: (
    <>
      <path d="M17.5 8V5.8A1.8 1.8 0 0 0 15.7 4H5.5a2.5 2.5 0 0 0 0 5H19a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 19 20H5.5A2.5 2.5 0 0 1 3 17.5v-11" />
      <path d="M20.5 12.3H17a2.2 2.2 0 0 0 0 4.4h3.5" />
    </>
  ),
  activity: <path d="M3 12h4l3-8 4 16 3-8h4" />,
  'arrow-down': <path d="M12 4.5v15M6 13.5l6 6 6-6" />,
  'arrow-down-right': <path d="m7 7 10 10M17 8.5V17H8.5" />,
  'arrow-right': <path d="M4.5 12h15M13.5 6l6 6-6 6" />,
  'arrow-up': <path d="M12 19.5v-15M6 10.5l6-6 6 6" />,
  'arrow-up-right': <path d="M7 17 17 7M8.5 7H17v8.5" />,
  bell: (
    <>
      <path d="M6.5 10.5a5.5 5.5 0 0 1 11 0c0 5 2 6.5 2 6.5h-15s2-1.5 2-6.5" />
      <path d="M10 20a2.2 2.2 0 0 0 4 0" />
    </>
  ),
  block: (
    <>
      <path d="m12 3 7.8 4.5v9L12 21l-7.8-4.5v-9z" />
      <path d="m4.5 7.7 7.5 4.3 7.5-4.3M12 12v8.8" />
    </>
  ),
  bot: (
    <>
      <rect x="4.5" y="8.5" width="15" height="11" rx="2.5" />
      <path d="M12 8.5v-4M9 13v1.5M15 13v1.5M2 12.5v3.5M22 12.5v3.5" />
    </>
  ),
  calendar: (
    <>
      <rect x="4" y="5.5" width="16" height="15" rx="2" />
      <path d="M4 10.5h16M8.5 3v4M15.5 3v4" />
    </>
  ),
  camera: (
    <>
      <path d="M4.5 7.5h3l1.7-2.5h5.6l1.7 2.5h3A1.5 1.5 0 0 1 21 9v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 18V9a1.5 1.5 0 0 1 1.5-1.5z" />
      <circle cx="12" cy="13" r="3.5" />
    </>
  ),
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  'chevron-down': <path d="m6 9 6 6 6-6" />,
  'chevron-right': <path d="m9 6 6 6-6 6" />,
  chip: (
    <>
      <rect x="6.5" y="6.5" width="11" height="11" rx="1.5" />
      <rect x="10" y="10" width="4" height="4" rx=".5" />
      <path d="M9.5 3v3.5M14.5 3v3.5M9.5 17.5V21M14.5 17.5V21M3 9.5h3.5M3 14.5h3.5M17.5 9.5H21M17.5 14.5H21" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7v5l3.2 2" />
    </>
  ),
  coins: (
    <>
      <circle cx="9" cy="9" r="5.5" />
      <path d="M17.2 10.6a5.5 5.5 0 1 1-6.6 6.6M9 6.7v4.6" />
    </>
  ),
  copy: (
    <>
      <rect x="9" y="9" width="11" height="11" rx="2" />
      <path d="M5.5 15A1.5 1.5 0 0 1 4 13.5v-8A1.5 1.5 0 0 1 5.5 4h8A1.5 1.5 0 0 1 15 5.5" />
    </>
  ),
  doc: (
    <>
      <path d="M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5z" />
      <path d="M13.5 3.5v5h5M9 13h6M9 16.5h4" />
    </>
  ),
  download: <path d="M12 4v11M7 10.5l5 5 5-5M4.5 20h15" />,
  expand: <path d="M14.5 4.5h5v5M9.5 19.5h-5v-5M19.5 4.5 14 10M4.5 19.5 10 14" />,
  external: <path d="M14 4.5h5.5V10M19.5 4.5 11 13M17.5 13.5V18a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8A1.5 1.5 0 0 1 6 6.5h4.5" />,
  eye: (
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  'eye-off': (
    <path d="M9.5 5.9A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.5M6.3 7.3A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 5.2-1.7M9.9 10.2a2.8 2.8 0 0 0 3.9 4M3.5 3.5l17 17" />
  ),
  file: (
    <>
      <path d="M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5z" />
      <path d="M13.5 3.5v5h5" />
    </>
  ),
  filter: <path d="M4 6.5h16M7 12h10M10.5 17.5h3" />,
  flask: (
    <>
      <path d="M9 3.5h6M10.3 3.5v6L5 18.3a1.5 1.5 0 0 0 1.3 2.2h11.4a1.5 1.5 0 0 0 1.3-2.2l-5.3-8.8v-6" />
      <path d="M7.8 14.5h8.4" />
    </>
  ),
  folder: <path d="M3.5 18V6A1.5 1.5 0 0 1 5 4.5h4.2l2.3 2.8H19a1.5 1.5 0 0 1 1.5 1.5V18a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z" />,
  globe: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M3.5 12h17M12 3.5c2.4 2.4 3.5 5.2 3.5 8.5s-1.1 6.1-3.5 8.5c-2.4-2.4-3.5-5.2-3.5-8.5s1.1-6.1 3.5-8.5z" />
    </>
  ),
  hourglass: (
    <path d="M6 3.5h12M6 20.5h12M7.5 3.5v3.8a3 3 0 0 0 1.2 2.4L12 12l3.3-2.3a3 3 0 0 0 1.2-2.4V3.5M7.5 20.5v-3.8a3 3 0 0 1 1.2-2.4L12 12l3.3 2.3a3 3 0 0 1 1.2 2.4v3.8" />
  ),
  inbox: <path d="M4 13.5h4.5l1.5 3h4l1.5-3H20M4 13.5l3-8h10l3 8v5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5z" />,
  indicator: <path d="M3.5 18c3 0 3.5-11 7-11s3 7 5.5 7 2.5-4 4.5-4" />,
  info: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11v5M12 8v.1" />
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="15.5" r="4.5" />
      <path d="M11.2 12.3 20 3.5M16 7.5l3 3M13.5 10l2 2" />
    </>
  ),
  link: <path d="M10 13.5a4 4 0 0 0 5.8.3l3-3a4 4 0 0 0-5.6-5.7l-1.6 1.6M14 10.5a4 4 0 0 0-5.8-.3l-3 3a4 4 0 0 0 5.6 5.7l1.6-1.6" />,
  lock: (
    <>
      <rect x="4.5" y="10.5" width="15" height="10" rx="2" />
      <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3" />
    </>
  ),
  markets: (
    <>
      <path d="m3.5 17 5-6 4 3.5L20.5 6.5" />
      <path d="M15.5 6.5h5v5" />
    </>
  ),
  more: (
    <g fill="currentColor" stroke="none">
      <circle cx="5.5" cy="12" r="1.6" />
      <circle cx="12" cy="12" r="1.6" />
      <circle cx="18.5" cy="12" r="1.6" />
    </g>
  ),
  nokey: (
    <>
      <circle cx="8" cy="15.5" r="4.5" />
      <path d="M11.2 12.3 20 3.5M16 7.5l3 3M3.5 3.5l17 17" />
    </>
  ),
  overview: (
    <>
      <rect x="3.5" y="3.5" width="7" height="9" rx="1.5" />
      <rect x="13.5" y="3.5" width="7" height="5" rx="1.5" />
      <rect x="13.5" y="11.5" width="7" height="9" rx="1.5" />
      <rect x="3.5" y="15.5" width="7" height="5" rx="1.5" />
    </>
  ),
  pause: <path d="M8.5 5v14M15.5 5v14" />,
  pen: <path d="m14.3 6.2 3.5 3.5M4 20l1-4.5L16 4.5a1.8 1.8 0 0 1 2.5 0l1 1a1.8 1.8 0 0 1 0 2.5L8.5 19z" />,
  phone: (
    <>
      <rect x="6.5" y="2.5" width="11" height="19" rx="2.5" />
      <path d="M11 18h2" />
    </>
  ),
  play: <path d="M7 4.8v14.4l12-7.2z" />,
  plus: <path d="M12 5v14M5 12h14" />,
  refresh: (
    <>
      <path d="M20 12a8 8 0 0 1-14 5.3l-2-1.8M4 12a8 8 0 0 1 14-5.3l2 1.8" />
      <path d="M20 4.5v4h-4M4 19.5v-4h4" />
    </>
  ),
  relay: <path d="M2.5 9.3a14 14 0 0 1 19 0M5.5 12.7a9.5 9.5 0 0 1 13 0M8.6 16a5 5 0 0 1 6.8 0M12 19.5v.1" />,
  rotate: (
    <>
      <path d="M4.5 12a7.5 7.5 0 1 0 2.4-5.5L4.5 8.7" />
      <path d="M4.5 4v4.7h4.7" />
    </>
  ),
  search: (
    <>
      <circle cx="11" cy="11" r="6.5" />
      <path d="m20 20-4.3-4.3" />
    </>
  ),
  select: <path d="m8 9.5 4-4 4 4M8 14.5l4 4 4-4" />,
  send: <path d="M20.5 3.5 10 14M20.5 3.5 14 20.5 10 14l-6.5-4z" />,
  server: (
    <>
      <rect x="3.5" y="4" width="17" height="7" rx="1.5" />
      <rect x="3.5" y="13" width="17" height="7" rx="1.5" />
      <path d="M7 7.5v.1M7 16.5v.1" />
    </>
  ),
  settings: (
    <>
      <path d="M4 7h9.5M18.5 7H20M4 17h1.5M10.5 17H20" />
      <circle cx="16" cy="7" r="2.5" />
      <circle cx="8" cy="17" r="2.5" />
    </>
  ),
  shield: <path d="M12 3.2 5 5.8v5.4c0 4.4 2.9 7.8 7 9.6 4.1-1.8 7-5.2 7-9.6V5.8z" />,
  'shield-check': (
    <>
      <path d="M12 3.2 5 5.8v5.4c0 4.4 2.9 7.8 7 9.6 4.1-1.8 7-5.2 7-9.6V5.8z" />
      <path d="m9 12 2.2 2.2 4-4.2" />
    </>
  ),
  'shield-x': (
    <>
      <path d="M12 3.2 5 5.8v5.4c0 4.4 2.9 7.8 7 9.6 4.1-1.8 7-5.2 7-9.6V5.8z" />
      <path d="m9.7 9.7 4.6 4.6M14.3 9.7l-4.6 4.6" />
    </>
  ),
  sidebar: (
    <>
      <rect x="3.5" y="4.5" width="17" height="15" rx="2" />
      <path d="M9.5 4.5v15M16.5 9.5 14 12l2.5 2.5" />
    </>
  ),
  'sidebar-open': (
    <>
      <rect x="3.5" y="4.5" width="17" height="15" rx="2" />
      <path d="M9.5 4.5v15M14 9.5l2.5 2.5-2.5 2.5" />
    </>
  ),
  star: <path d="m12 3.6 2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8-4.2-4.1 5.8-.8z" />,
  stop: (
    <>
      <path d="M8.3 3.5h7.4l4.8 4.8v7.4l-4.8 4.8H8.3l-4.8-4.8V8.3z" />
      <path d="M12 8v4.5M12 16v.1" />
    </>
  ),
  swap: <path d="M7.5 4v16M4 16.5 7.5 20l3.5-3.5M16.5 20V4M13 7.5 16.5 4 20 7.5" />,
  target: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <circle cx="12" cy="12" r="3.5" />
    </>
  ),
  terminal: (
    <>
      <rect x="3" y="4.5" width="18" height="15" rx="2" />
      <path d="m7 9.5 3 2.5-3 2.5M12.5 15H16" />
    </>
  ),
  trade: (
    <>
      <path d="M7 3v3M7 15v4M17 5v4M17 18v3" />
      <rect x="4.5" y="6" width="5" height="9" rx="1" />
      <rect x="14.5" y="9" width="5" height="9" rx="1" />
    </>
  ),
  trash: <path d="M4 6.5h16M9.5 6.5v-2h5v2M6 6.5l.8 12.6a1.5 1.5 0 0 0 1.5 1.4h7.4a1.5 1.5 0 0 0 1.5-1.4L18 6.5M10 10.5v6M14 10.5v6" />,
  undo: (
    <>
      <path d="M8.5 14.5 4 10l4.5-4.5" />
      <path d="M4 10h10a5.25 5.25 0 0 1 0 10.5h-3" />
    </>
  ),
  unknown: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.6 9.5a2.45 2.45 0 1 1 3.6 2.2c-.8.4-1.2 1-1.2 1.8M12 16.4v.1" />
    </>
  ),
  upload: <path d="M12 15.5v-11M7 9l5-5 5 5M4.5 20h15" />,
  user: (
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5a7.5 7.5 0 0 1 15 0" />
    </>
  ),
  warn: (
    <>
      <path d="M10.5 4.4 2.9 17.6a1.7 1.7 0 0 0 1.5 2.6h15.2a1.7 1.7 0 0 0 1.5-2.6L13.5 4.4a1.7 1.7 0 0 0-3 0z" />
      <path d="M12 9.5v4M12 16.8v.1" />
    </>
  ),
  webhook: (
    <>
      <circle cx="12" cy="6.5" r="3" />
      <circle cx="5.5" cy="17" r="3" />
      <circle cx="18.5" cy="17" r="3" />
      <path d="M10.4 9.1 7.1 14.4M13.6 9.1l3.3 5.3M8.5 17h7" />
    </>
  ),
  x: <path d="M6 6l12 12M18 6 6 18" />,
} as const satisfies Record<string, ReactElement>

export type IconName = keyof typeof iconShapes
