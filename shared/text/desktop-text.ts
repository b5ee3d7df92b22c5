import { catalogue, plural } from './catalogue.ts'

/** Texts of the system dialogs that the main process opens. */
export const dialogText = catalogue('dialogs', {
  exportAudit: 'Export audit log',
  exportEnds: 'Export expiry dates of keys and grants',
  exportTable: 'Export table',
  exportReport: 'Export report',
  exportFieldMap: 'Export field map',
  importFieldMap: 'Import field map',
  importKey: 'Import API key',
  searchFolder: 'Choose a folder to search for keys',
  saveGapCheck: 'Save gap check',
  saveReport: 'Save report',
  saveServiceCheck: 'Save service check',
  saveBackup: 'Save backup',
  openBackup: 'Open backup',
  saveSupport: 'Save support bundle',
  saveEnv: (label: string) => `Save “${label}” as .env`,

  export: 'Export',
  import: 'Import',
  open: 'Open',
  choose: 'Choose',
  save: 'Save',
  cancel: 'Cancel',

  table: 'Table',
  calendar: 'Calendar',
  backup: 'Svc Desk backup',
  text: 'Text',

  handOver: 'Hand over a key',
  handOverQuestion: (label: string) => `Give the secret of “${label}” to this command?`,
  handOverButton: 'Hand over',
  handOverProgram: (path: string) => `Program: ${path}`,

  closeQuestion: 'Keep Svc Desk running?',
  closeMessage: 'In the tray, Svc Desk keeps watching your orders, keys and liquidation alerts. If you quit, it stops.',
  closeDetail: 'Open it again from the tray icon, or start it again. You can change your choice in Settings.',
  keepRunning: 'Keep running',
  quit: 'Quit',

  /** macOS shows this after “Svc Desk is trying to”. */
  touchIdReason: 'unlock Svc Desk',

  leftOut: (characters: number) => `${characters} characters left out`,
})

export const menuText = catalogue('menu', {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  window: 'Window',
  lockNow: 'Lock now',
  checkForUpdates: 'Check for updates…',
  quit: 'Quit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  resetZoom: 'Actual size',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  togglefullscreen: 'Toggle full screen',
  minimize: 'Minimize',
  close: 'Close window',
  about: (app: string) => `About ${app}`,
  services: 'Services',
  hide: (app: string) => `Hide ${app}`,
  hideOthers: 'Hide others',
  unhide: 'Show all',
  quitApp: (app: string) => `Quit ${app}`,
  openApp: 'Open Svc Desk',
  pauseAllBots: 'Pause all bots',
  stopEverything: 'Stop everything…',
  closeEverything: 'Close everything…',
  practice: 'Practice',
  allClear: 'All clear',
  needAttention: (count: number) => plural(count, { one: `${count} item needs attention`, other: `${count} items need attention` }),
  locked: 'Locked',
  service_none: 'No exchange is open',
  service_unknown: 'Waiting for the exchange',
  service_up: 'The exchange responds',
  service_slow: 'The exchange responds slowly',
  service_failing: 'Some requests to the exchange fail',
  service_down: 'The exchange does not respond',
})

/** Texts of the windows that do not show the app's pages. */
export const windowText = catalogue('windows', {
  phone: 'Practice phone',
  secret: 'Secret',
  secretOf: (label: string) => `Secret of ${label}`,
  throwawayLabel: 'the receiver test',
  secretOnce: 'Shown only here, and only once. The window closes automatically after a minute.',
  close: 'Close',
  stopped: 'The window of Svc Desk keeps failing',
  stoppedWhy: 'It failed three times within five minutes. The app still runs: it follows your orders, and your bots’ keys work.',
  stoppedLog: 'The log has the details:',
  openAgain: 'Open the window again',
})

/** Texts of the window or dialog that explains why the app quits. */
export const errorText = catalogue('errorBox', {
  closed: 'Svc Desk closed after an error',
  cannotStart: 'Svc Desk cannot start',
  next: 'When you start the app again, it checks orders and keys against the journal.',
  log: (reference: string) => `The log has the details under ${reference}:`,
  openFolder: 'Open log folder',
  startAgain: 'Start again',
  quit: 'Quit',
  otherCopy: 'Another copy of Svc Desk is using its files. Close that copy, then start this one again.',
})
