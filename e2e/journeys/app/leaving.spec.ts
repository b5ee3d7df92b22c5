import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join as joinExchange } from '../../pages/ready.ts'
import { appValue } from '../../support/bridge.ts'
import { isReveal } from '../../support/desk.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, test } from '../../support/fixtures.ts'
import { recordIpc } from '../../support/ipc-traffic.ts'
import { keptSecrets } from '../../support/keyring.ts'
import { outOf } from '../../support/project.ts'
import { attempt } from '../../support/search/page-attempts.ts'
import { heapOf, storageOf } from '../../support/search/page-memory.ts'
import { createSearch } from '../../support/search/secret-search.ts'

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-leaving-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the app shows an API secret once, in a separate window without scripts, and never in its main page [AUTH-09]', async ({ open, profileDir }) => {
  const desk = await open()
  const page = desk.main
  const traffic = await recordIpc(desk.app)
  await joinExchange(desk, 'shown')
  const keyId = await keyIdOf(page, 'shown')
  const [secret = ''] = keptSecrets(keyId)
  const shown = () => desk.app.windows().find((window) => isReveal(window) && !window.isClosed())
  const reveal = async () => {
    const { closesAtMs } = await appValue(page, 'secrets.reveal', { keyId })
    expect(closesAtMs).toBeGreaterThan(Date.now())
    await expect.poll(() => shown() !== undefined).toBe(true)
    const window = shown()
    if (window === undefined) throw new Error('the window closed at once')
    return window
  }
  const gone = () => expect.poll(() => shown() === undefined).toBe(true)

  const window = await reveal()
  await expect(window.getByRole('heading')).toHaveText('Secret of shown')
  await expect(window.locator('code')).toHaveText(secret)
  const { bridge, ran } = await window.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.ran = true'
    document.body.append(script)
    return { bridge: 'appBridge' in globalThis, ran: 'ran' in globalThis }
  })
  expect({ bridge, ran }).toEqual({ bridge: false, ran: false })
  const windows = await desk.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((one) => [one.webContents.getURL().split('/')[2], one.isContentProtected()]),
  )
  expect(windows.filter(([, isProtected]) => isProtected)).toEqual([['reveal', true]])

  // The address of the secret’s window works only once, and the window has already used it. A page’s request must be refused, and the main process
  // must get 404.
  const [address = ''] = await desk.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .map((one) => one.webContents.getURL())
      .filter((url) => url.includes('reveal')),
  )
  expect(address).toMatch(/^app:\/\/reveal\/[\w-]{43}$/)
  expect(await attempt(page, 'fetch', window.url())).toBe('connect-src')
  expect(await attempt(page, 'frame', window.url())).toBe('refused by the page')
  expect(await desk.app.evaluate(async ({ net }, url) => (await net.fetch(url)).status, address)).toBe(404)

  await window.getByRole('link', { name: 'Close' }).click()
  await gone()
  await reveal()
  await desk.app.evaluate(({ BrowserWindow }) => {
    const one = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes('reveal'))
    one?.webContents.emit('before-input-event', { preventDefault: () => undefined }, { type: 'keyDown', key: 'Escape' })
  })
  await gone()
  await reveal()
  await desk.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('lock-screen'))
  await gone()
  // Shortens the app’s timers of one minute to 0.3 seconds.
  await desk.app.evaluate(() => {
    const { setTimeout: real } = globalThis
    Object.assign(globalThis, { setTimeout: (work: () => void, ms: number) => real(work, ms === 60_000 ? 300 : ms) })
  })
  await appValue(page, 'secrets.reveal', { keyId })
  await gone()

  const search = createSearch([{ name: 'API key', value: secret }])
  const places = { heap: await heapOf(page), storage: await storageOf(page), IPC: await traffic(), output: desk.output() }
  expect(Object.entries(places).flatMap(([place, text]) => search.inText(place, text))).toEqual([])
  await desk.close()
  expect(search.inFolder(profileDir)).toEqual([])
})

test('the main process saves a key to a .env file and passes a key to an approved command; the page never gets the key [AUTH-09]', async ({ open }) => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\nprintf '%s ' "$@" > '${folder}/words'\ncat > '${folder}/input'\necho "made $(cat '${folder}/input')"\n`, {
    mode: 0o755,
  })
  const desk = await open({ env: { PATH: `${bin}:${process.env.PATH ?? ''}` } })
  const page = desk.main
  const traffic = await recordIpc(desk.app)
  await joinExchange(desk, 'server')
  const keyId = await keyIdOf(page, 'server')
  const [secret = ''] = keptSecrets(keyId)
  const handover = { target: 'docker', options: { name: 'svc_key', context: null } } as const

  // The stand-in for Electron cancels every dialog unless the test replaces the dialog.
  expect(await appValue(page, 'secrets.saveEnv', { keyId })).toEqual({ state: 'cancelled' })
  expect(await appValue(page, 'handover.run', { keyId, ...handover })).toMatchObject({ outcome: 'declined' })

  const path = join(folder, '.env')
  writeFileSync(path, 'LOG_LEVEL=debug\n')
  const asked = await answerDialogs(desk.app, { save: path, agree: true })
  expect(await appValue(page, 'secrets.saveEnv', { keyId })).toEqual({ state: 'saved', path, kept: 1, replaced: [] })
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^LOG_LEVEL=debug\nSVC_API_KEY=${secret}\nSVC_BASE_URL=http://127\\.0\\.0\\.1:\\d+/api/dex/v1\n$`))
  expect(statSync(path).mode & 0o777).toBe(0o600)

  expect(await appValue(page, 'handover.preview', handover)).toMatchObject({
    words: ['docker', 'secret', 'create', 'svc_key', '-'],
    program: join(bin, 'docker'),
  })
  expect(await appValue(page, 'handover.run', { keyId, ...handover })).toMatchObject({ outcome: 'done', exitCode: 0, output: 'made [secret]\n' })
  expect(readFileSync(join(folder, 'words'), 'utf8')).toBe('secret create svc_key - ')
  expect(readFileSync(join(folder, 'input'), 'utf8')).toBe(secret)
  expect((await asked()).at(-1)).toMatchObject({ title: 'Hand over a key', message: 'Give the secret of “server” to this command?' })

  const search = createSearch([{ name: 'API key', value: secret }])
  const places = { heap: await heapOf(page), IPC: await traffic(), dialogs: JSON.stringify(await asked()), output: desk.output() }
  expect(Object.entries(places).flatMap(([place, text]) => search.inText(place, text))).toEqual([])
})

test('a command in a terminal gets an API key only after the user agrees in the app’s window [AUTH-09]', async ({ open, profileDir }) => {
  const desk = await open()
  const page = desk.main
  await joinExchange(desk, 'bot')
  const keyId = await keyIdOf(page, 'bot')
  const [secret = ''] = keptSecrets(keyId)
  expect(await appValue(page, 'terminal.state', {})).toEqual({ line: 'open', detail: null })

  const start = (program: string, words: string[]) => {
    const child = spawn(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let written = ''
    child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()))
    return once(child, 'close').then(([code]) => ({ code, written }))
  }
  const run = (...words: string[]) =>
    start(process.execPath, [join(outOf('hooks'), 'main/terminal.js'), ...words.slice(0, 1), '--data', profileDir, ...words.slice(1)])
  const sheet = page.getByRole('alertdialog')
  const answer = async (what: 'once' | 'deny') => {
    await expect(sheet).toBeVisible()
    const [request] = await appValue(page, 'terminal.pending', {})
    await expect(sheet.getByRole('button', { name: 'Deny' })).toBeFocused()
    if (what === 'deny') await page.keyboard.press('Escape')
    else await sheet.getByRole('button', { name: request?.kind === 'rotate' ? 'Rotate' : 'Give secret' }).click()
    await expect(sheet).toBeHidden()
    return request
  }
  const script = 'echo "key $SVC_API_KEY at $SVC_BASE_URL"; exit 3'

  const denied = run('run', '--key', 'bot', '--', '/bin/sh', '-c', script)
  await answer('deny')
  expect(await denied).toMatchObject({ code: 77, written: expect.stringContaining('You denied this in Svc Desk') })

  const granted = run('run', '--profile', 'practice', '--key', 'bot', '--', '/bin/sh', '-c', script)
  expect(await answer('once')).toMatchObject({
    kind: 'run',
    profile: { name: 'Practice' },
    key: { id: keyId, label: 'bot' },
    words: ['/bin/sh', '-c', script],
    folder,
  })
  const { code, written } = await granted
  expect(code).toBe(3)
  expect(written).toMatch(/key \[secret\] at http:\/\/127\.0\.0\.1:\d+\/api\/dex\/v1\n$/)

  // The app never remembers an approval for Node or a shell, because such a program can run any code. So the app asks again.
  const again = run('run', '--key', keyId, '--', '/bin/sh', '-c', script)
  await expect(sheet).toContainText('The app asks each time')
  await expect(sheet.getByRole('checkbox')).toHaveCount(0)
  expect(await answer('deny')).toMatchObject({ caller: { program: realpathSync(process.execPath) }, each: 'caller' })
  expect(await again).toMatchObject({ code: 77 })
  await goTo(page, 'Settings')
  await expect(page.getByText('commands you allow for a while appear here')).toBeVisible()
  const listed = await run('keys', 'list', '--json')
  expect(JSON.parse(listed.written)).toMatchObject({ profile: 'Practice', source: 'service', keys: [{ id: keyId, label: 'bot', here: true }] })

  const rotated = run('keys', 'rotate', 'bot')
  expect(await answer('once')).toMatchObject({ kind: 'rotate' })
  expect(await rotated).toMatchObject({ code: 0, written: expect.stringContaining('bot has a new secret') })
  const now = keptSecrets(keyId)
  expect(now).not.toContain(secret)

  await desk.close()
  const closed = await run('run', '--key', 'bot', '--', '/bin/sh', '-c', script)
  expect(closed).toMatchObject({ code: 69, written: expect.stringContaining('only while it is open') })
  for (const said of [written, listed.written, closed.written])
    expect(createSearch([secret, ...now].map((value) => ({ name: 'API key', value }))).inText('output', said)).toEqual([])
})
