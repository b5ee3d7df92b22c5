import { expect, test } from 'vitest'
import { ok } from '../../../shared/result.ts'
import { badgePixels, badgeSize, createDesktopIcon, type DesktopIconParts, readTrayFacts, type TrayFacts, trayMenuOf } from './tray.ts'

const quiet: TrayFacts = { attention: 0, service: 'up', lock: 'none', gateway: false }

function setUp(platform: NodeJS.Platform) {
  const happened: unknown[] = []
  const state = { tray: true, facts: quiet }
  const parts: DesktopIconParts = {
    platform,
    app: {
      setBadgeCount: (count) => {
        happened.push(['badge', count])
        return true
      },
      // The cast is needed, because the fakes contain only the functions that the app uses.
      dock: (platform === 'darwin' ? { setMenu: (menu: { labels: string[] }) => happened.push(['dock', ...menu.labels]) } : undefined) as never,
      setJumpList: (list) => {
        happened.push(['jump list', ...(list ?? []).flatMap(({ items = [] }) => items.map(({ title, args }) => `${title} ${args}`))])
        return 'ok'
      },
    },
    hasTray: async () => state.tray,
    makeTray: () => ({
      setToolTip: (text) => happened.push(['tip', text]),
      setContextMenu: (menu) => happened.push(['menu', ...(menu as unknown as { labels: string[] }).labels]),
      on: (() => undefined) as never,
      destroy: () => happened.push('destroyed'),
    }),
    makeMenu: (items) => ({ labels: items.flatMap(({ label, enabled }) => (label === undefined ? [] : [enabled === false ? `(${label})` : label])) }) as never,
    images: { createFromDataURL: () => ({}) as never, createFromBitmap: (pixels) => ({ bytes: pixels.length }) as never },
    window: () => ({ isDestroyed: () => false, setOverlayIcon: (picture, text) => happened.push(['overlay', picture !== null, text]) }),
    program: { path: 'C:\\Svc Desk.exe', words: ['C:\\a b'] },
    read: async () => state.facts,
    actions: {
      open: () => undefined,
      stop: () => undefined,
      pauseBots: () => undefined,
      practice: () => undefined,
      lockNow: () => undefined,
      quit: () => undefined,
    },
    failed: (error) => happened.push(String(error)),
  }
  return { icon: createDesktopIcon(parts), happened, state }
}

test('the menu of the tray icon shows the app’s state, and always offers to open the app, to stop everything and to quit; while the gateway is on, it also pauses all bots', () => {
  const pressed: string[] = []
  const press = (name: string) => () => void pressed.push(name)
  const actions = {
    open: press('open'),
    stop: press('stop'),
    pauseBots: press('pause'),
    practice: press('practice'),
    lockNow: press('lock'),
    quit: press('quit'),
  }
  for (const facts of [quiet, { attention: 2, service: 'down', lock: 'locked', gateway: true }] as const) {
    const items = trayMenuOf(facts, actions)
    for (const { id, enabled, click } of items) if (id !== undefined && enabled !== false) click?.({} as never, undefined, {} as never)
  }
  expect(pressed).toEqual(['open', 'stop', 'quit', 'open', 'pause', 'stop', 'quit'])
  expect(trayMenuOf({ attention: 2, service: 'down', lock: 'locked', gateway: true }, actions).map(({ label }) => label)).toEqual([
    '2 items need attention',
    'The exchange does not respond',
    'Locked',
    undefined,
    'Open Svc Desk',
    'Pause all bots',
    'Stop everything…',
    'Lock now',
    undefined,
    'Quit',
  ])
  expect(trayMenuOf({ ...quiet, lock: 'open' }, actions).find(({ id }) => id === 'lock')?.enabled).toBe(true)
})

test('Linux: the app’s tray icon comes and goes with the desktop’s tray, and its badge shows how many items need attention', async () => {
  const { icon, happened, state } = setUp('linux')
  state.tray = false
  expect(await icon.ensureTray()).toBe(false)
  await icon.refresh()
  expect(happened).toEqual([['badge', 0]])
  state.tray = true
  expect(await icon.ensureTray()).toBe(true)
  state.facts = { ...quiet, attention: 3 }
  await icon.refresh()
  expect(happened.slice(-3)).toEqual([
    ['badge', 3],
    ['tip', 'Svc Desk\n3 items need attention\nThe exchange responds'],
    ['menu', '(3 items need attention)', '(The exchange responds)', 'Open Svc Desk', 'Stop everything…', '(Lock now)', 'Quit'],
  ])
  const before = happened.length
  await icon.refresh()
  expect(happened).toHaveLength(before)
  state.tray = false
  expect(await icon.ensureTray()).toBe(false)
  expect(happened.at(-1)).toBe('destroyed')
})

test('macOS: the Dock icon shows how many items need attention, and has the app’s menu', async () => {
  const { icon, happened, state } = setUp('darwin')
  state.facts = { ...quiet, attention: 1, lock: 'open' }
  await icon.refresh()
  expect(happened).toEqual([
    ['badge', 1],
    ['dock', 'Lock now', 'Close everything…', 'Practice'],
  ])
})

test('Windows: the app’s taskbar button shows how many items need attention, and each entry of its menu starts the app with an option', async () => {
  const { icon, happened, state } = setUp('win32')
  state.facts = { ...quiet, attention: 4 }
  await icon.refresh()
  expect(happened).toEqual([
    ['overlay', true, '4 items need attention'],
    ['jump list', 'Lock now "C:\\a b" "--lock-now"', 'Close everything… "C:\\a b" "--stop-everything"', 'Practice "C:\\a b" "--practice"'],
  ])
  state.facts = quiet
  await icon.refresh()
  expect(happened).toContainEqual(['overlay', false, ''])
})

test('the badge of the tray icon counts the same attention items as the sidebar, and the app reads none while it is locked', async () => {
  const row = { id: 'x', to: '/keys', atMs: 0, untilMs: null, kind: 'no_key', maySnooze: true } as const
  const reads: string[] = []
  let locked = false
  const parts = {
    handlers: {
      'app.attention': () => {
        reads.push('attention')
        return ok([
          { ...row, severity: 'danger', snoozed: null },
          { ...row, severity: 'warn', snoozed: null },
          { ...row, severity: 'info', snoozed: null },
          { ...row, severity: 'danger', snoozed: { untilMs: null } },
        ] as const)
      },
      'app.health': () => ok({ service: 'up' }),
    } as never, // the cast is needed, because the fake handlers return only the fields that the tray reads
    hasProfile: () => true,
    isGatewayOn: () => true,
    lock: { isSet: () => true, locked: () => locked, waiting: () => 5 },
  }
  const open = await readTrayFacts(parts, quiet)
  expect(open).toEqual({ attention: 2, service: 'up', lock: 'open', gateway: true })
  locked = true
  expect(await readTrayFacts(parts, open)).toEqual({ attention: 5, service: 'up', lock: 'locked', gateway: true })
  expect(reads).toEqual(['attention'])
})

test('the picture of the tray icon’s badge has the right size, and differs for each number up to nine', () => {
  const pictures = Array.from({ length: 12 }, (_, count) => badgePixels(count).toString('base64'))
  expect(new Set(pictures.slice(0, 11)).size).toBe(11)
  expect(pictures[10]).toBe(pictures[11])
  expect(badgePixels(3)).toHaveLength(badgeSize * badgeSize * 4)
})
