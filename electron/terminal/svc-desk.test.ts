import { copyFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { value } from '../../e2e/support/main/workspace.ts'
import { packagedProgram, runningProgram, startCommand } from '../../e2e/support/terminal/command.ts'
import { accessibleKey, apiKey, baseUrl, type OpenApp, startOpenApp, webhookSecret } from '../../e2e/support/terminal/open-app.ts'
import { fail, ok } from '../../shared/result.ts'
import { inputIssueText } from '../../shared/text/input-issue-text.ts'
import type { Handlers } from '../kernel/handlers.ts'
import { Secret } from '../kernel/secret.ts'
import { inUserLanguage, speakToUser } from '../kernel/user-language.ts'
import { leaving } from '../store/secrets/leaving-secret.ts'
import { maskText } from '../store/secrets/mask.ts'
import { reachApp } from './channel/line.ts'
import { type SvcDeskParts, svcDesk } from './svc-desk.ts'

let app: OpenApp
let folder: string
beforeEach(async () => {
  app = await startOpenApp()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-desk-bot-')))
})
afterEach(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

const node = realpathSync(process.execPath)

function bot(script: string): string[] {
  writeFileSync(join(folder, 'bot.mjs'), script)
  return [process.execPath, 'bot.mjs']
}
const run = (command: readonly string[], options: { readonly input?: string; readonly words?: readonly string[] } = {}) =>
  startCommand(['run', '--data', app.userData, '--key', 'bot', ...(options.words ?? []), '--', ...command], { folder, ...options })

const answering = async (answer: 'once' | 'always' | 'deny') => {
  const request = await app.asked()
  await app.answer(request.id, answer)
  return request
}

test('svc-desk run passes the key to the command only after the user agrees, and masks it in everything the command prints [AUTH-09]', async () => {
  const command = bot(`
    const key = process.env.SVC_API_KEY
    process.stdout.write('key=' + key.slice(0, 11))
    setTimeout(() => {
      console.log(key.slice(11))
      console.log(Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex'))
      console.error('Authorization: Basic ' + Buffer.from('bot:' + key).toString('base64'))
      console.log(process.env.SVC_BASE_URL, key.length, 'done')
    }, 50)`)
  const started = run(command)
  const request = await answering('once')
  expect(request).toMatchObject({
    kind: 'run',
    profile: { id: 'p1', name: 'Main', kind: 'live' },
    key: { id: 'k1', label: 'bot' },
    words: command,
    program: process.execPath,
    folder,
  })
  const { code, stdout, stderr } = await started.ended
  // All keys start with `SVC`, so the mask may output these three characters before it knows that a key follows. Remove them from the output.
  expect({ code, stdout: stdout.replace('key=SVC', 'key=') }).toEqual({
    code: 0,
    stdout: `key=${maskText}\n${maskText} ${maskText}\n${baseUrl} ${apiKey.length} done\n`,
  })
  expect(stderr).toContain(`Basic Ym90`)
  expect(stderr).toContain(maskText)
  expect(stderr).not.toContain(Buffer.from(`bot:${apiKey}`).toString('base64').slice(8, 24))
  expect(app.uses).toEqual([{ use: 'run', profileId: 'p1', keyId: 'k1', label: 'bot', to: command.join(' '), by: 'terminal', outcome: 'done' }])
})

test('svc-desk run passes on a webhook’s signing secret, alone or with a key, and masks both [HOOK-03] [AUTH-09]', async () => {
  const says = bot('console.log(process.env.SVC_API_KEY, process.env.SVC_WEBHOOK_SECRET, process.env.SVC_WEBHOOK_SECRET.length)')
  const start = (...words: string[]) => startCommand(['run', '--data', app.userData, ...words, '--', ...says], { folder })
  const alone = start('--webhook', 'https://bots.example/in')
  expect(await answering('once')).toMatchObject({ kind: 'run', key: null, webhook: { id: 'w1', url: 'https://bots.example/in' } })
  expect(await alone.ended).toMatchObject({ code: 0, stdout: `undefined ${maskText} ${webhookSecret.length}\n` })
  const both = start('--webhook', 'w1', '--key', 'bot')
  expect(await answering('once')).toMatchObject({ key: { id: 'k1' }, webhook: { id: 'w1' } })
  expect(await both.ended).toMatchObject({ code: 0, stdout: `${maskText} ${maskText} ${webhookSecret.length}\n` })
  expect(app.uses.map(({ of, keyId }) => [of, keyId])).toEqual([
    ['webhook', 'w1'],
    [undefined, 'k1'],
    ['webhook', 'w1'],
  ])
  expect(await start('--webhook', 'https://elsewhere.example/in').ended).toMatchObject({
    code: 66,
    stderr: expect.stringContaining('No webhook https://elsewhere.example/in has its signing secret'),
  })
})

test('svc-desk run puts the key only into the command’s environment, and never into a process’s arguments [AUTH-09]', async () => {
  const started = run(bot(`process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('pid', process.pid, process.ppid)`))
  await answering('once')
  await started.says('pid')
  const [, child, parent] = /pid (\d+) (\d+)/.exec(started.stdout()) ?? []
  expect(Number(parent)).toBe(started.process.pid)
  const about = (pid: string | undefined, what: 'cmdline' | 'environ') => readFileSync(`/proc/${pid}/${what}`, 'latin1')
  expect(about(child, 'environ')).toContain(apiKey)
  for (const text of [about(child, 'cmdline'), about(parent, 'cmdline'), about(parent, 'environ'), about(String(process.pid), 'environ')])
    expect(text).not.toContain(apiKey)
  started.process.kill('SIGTERM')
  expect((await started.ended).code).toBe(0)
})

test('svc-desk run passes typed input to the command, and exits with the command’s exit code', async () => {
  const started = run(['/bin/sh', '-c', 'cat; echo to the error stream >&2; exit 7'], { input: 'one\ntwo\n' })
  await answering('once')
  expect(await started.ended).toMatchObject({ code: 7, stdout: 'one\ntwo\n', stderr: expect.stringContaining('to the error stream\n') })
})

test.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGUSR1', 'SIGUSR2'] as const)(
  'the command svc-desk run passes %s on to its program, and returns 128 plus the signal’s number if the signal ends the program',
  async (signal) => {
    const number = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2, SIGUSR1: 10, SIGUSR2: 12 }[signal]
    const kept = run(['/bin/sh', '-c', `trap 'echo took it; exit 5' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`])
    await answering('once')
    await kept.says('ready')
    kept.process.kill(signal)
    expect(await kept.ended).toMatchObject({ code: 5, stdout: 'ready\ntook it\n' })

    const ended = run(['/bin/sh', '-c', 'echo ready; exec sleep 60'])
    await answering('once')
    await ended.says('ready')
    ended.process.kill(signal)
    expect(await ended.ended).toMatchObject({ code: 128 + number, signal: null })
  },
)

test('svc-desk run shows output immediately unless it can be part of the key, even a prompt without a line end', async () => {
  const started = run(bot(`process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); process.stdout.write('Press S')`))
  await answering('once')
  await started.says('Press S')
  started.process.kill('SIGTERM')
  expect(await started.ended).toMatchObject({ code: 0, stdout: 'Press S' })
})

test('svc-desk run passes on all of a long output, and does not wait for processes that the command leaves running', async () => {
  const started = run(['/bin/sh', '-c', 'sleep 5 & head -c 3000000 /dev/zero | tr "\\0" x; echo; echo end'])
  await answering('once')
  const { code, stdout } = await started.ended
  expect(code).toBe(0)
  expect(stdout).toHaveLength(3_000_005)
  expect(stdout.endsWith('x\nend\n')).toBe(true)
})

test('svc-desk run starts no command if the user refuses in the app, and reports the refusal [AUTH-09]', async () => {
  const started = run(['/bin/sh', '-c', 'touch ran'])
  await answering('deny')
  expect(await started.ended).toMatchObject({
    code: 77,
    stdout: '',
    stderr: expect.stringContaining('svc-desk: You denied this in Svc Desk. Nothing was started or changed.\n'),
  })
  expect(existsSync(join(folder, 'ran'))).toBe(false)
  expect(app.uses).toMatchObject([{ use: 'run', outcome: 'denied' }])
})

test('the app shows the user which process asks for the key, and asks each time if that process is an interpreter [V9]', async () => {
  const words = ['/bin/sh', '-c', 'echo ok']
  for (const _time of [1, 2]) {
    const started = run(words)
    expect(await answering('always')).toMatchObject({
      caller: { pid: started.process.pid, program: realpathSync(runningProgram), startedBy: node },
      each: 'caller',
    })
    expect(await started.ended).toMatchObject({ code: 0, stdout: 'ok\n' })
  }
  expect(value(await app.terminal.handlers['terminal.grants']({}))).toEqual([])
})

test('the app reuses an approval of svc-desk run only for the same key, arguments, program and folder, until the user revokes it [V9]', async () => {
  // The app treats a program named `node` as an interpreter, so run Node from a copy with another name, or the packaged program.
  const own = packagedProgram ?? join(folder, 'svc-desk')
  if (packagedProgram === undefined) copyFileSync(node, own)
  await app.stop()
  app = await startOpenApp({ ownProgram: own })
  const start = (words: readonly string[], options: { readonly folder?: string; readonly node?: string } = {}) =>
    startCommand(['run', '--data', app.userData, '--key', 'bot', '--', ...words], { folder, node: own, ...options })
  const isAsked = async (started: ReturnType<typeof start>) => {
    await answering('deny')
    expect(await started.ended).toMatchObject({ code: 77 })
  }
  const words = ['/bin/echo', 'ok']
  const first = start(words)
  expect(await answering('always')).toMatchObject({ caller: { program: own }, each: null })
  await first.ended
  expect(await start(words).ended).toMatchObject({ code: 0, stdout: 'ok\n' })
  expect(app.uses).toHaveLength(2)

  const [grant] = value(await app.terminal.handlers['terminal.grants']({}))
  expect(grant).toMatchObject({ kind: 'run', key: { label: 'bot' }, words, folder, lastUsedAtMs: expect.any(Number) })
  await isAsked(start(['/bin/echo', 'other']))
  await isAsked(start(words, { folder: tmpdir() }))
  await isAsked(start(words, { node }))
  app.access.keys = [accessibleKey({ storedAtMs: 2 })]
  await isAsked(start(words))

  app.access.keys = [accessibleKey()]
  expect(await start(words).ended).toMatchObject({ code: 0 })
  value(await app.terminal.handlers['terminal.forget']({ id: grant?.id ?? '' }))
  await isAsked(start(words))
})

test('if another program sends the same messages as svc-desk, the app asks the user again despite the approval of svc-desk [V9] [35]', async () => {
  const own = packagedProgram ?? join(folder, 'svc-desk')
  if (packagedProgram === undefined) copyFileSync(node, own)
  await app.stop()
  app = await startOpenApp({ ownProgram: own })
  const words = ['/bin/echo', 'ok']
  const first = startCommand(['run', '--data', app.userData, '--key', 'bot', '--', ...words], { folder, node: own })
  const { program } = await answering('always')
  await first.ended
  // Another process of the same user (here the test) can also read the address file. This process pretends to be the command that the user allowed.
  const line = await reachApp(app.userData)
  if (line.state !== 'open') throw new Error('the app is not open')
  const asked = line.ask({ type: 'run', profile: null, key: 'bot', webhook: null, words, program: program ?? '', folder }, () => undefined)
  expect(await answering('deny')).toMatchObject({ caller: { pid: process.pid, program: node }, each: 'caller' })
  expect(await asked).toMatchObject({ type: 'refused', exitCode: 77 })
  line.close()
})

test('the app withdraws its question to the user if the svc-desk command that waits for the answer ends', async () => {
  const started = run(['/bin/sh', '-c', 'echo ok'])
  await app.asked()
  await started.says('Waiting for your answer')
  started.process.kill('SIGINT')
  expect(await started.ended).toMatchObject({ code: 130 })
  await expect.poll(async () => value(await app.terminal.handlers['terminal.pending']({}))).toEqual([])
})

test('svc-desk reports that the app closed before it answered the command', async () => {
  const started = run(['/bin/sh', '-c', 'echo ok'])
  await app.asked()
  await started.says('Waiting')
  await app.terminal.close()
  expect(await started.ended).toMatchObject({ code: 75, stderr: expect.stringContaining('Svc Desk closed before it answered') })
})

test.each([
  ['no such key', { words: ['--key=other'] }, 66],
  ['no such profile', { words: ['--profile', 'other'] }, 66],
] as const)('the command svc-desk run fails with the right exit code for %s: %#', async (_what, { words }, code) => {
  const started = startCommand(['run', '--data', app.userData, ...(words[0] === '--key=other' ? [] : ['--key', 'bot']), ...words, '--', 'env'])
  expect(await started.ended).toMatchObject({ code, stdout: '' })
})

test('the app refuses expired or revoked keys, ambiguous labels and missing programs before it asks the user about a svc-desk command', async () => {
  app.access.keys = [accessibleKey({ status: 'revoked' })]
  expect(await run(['env']).ended).toMatchObject({ code: 66, stderr: expect.stringContaining('revoked') })
  app.access.keys = [accessibleKey({ expiresAtMs: 1 })]
  expect(await run(['env']).ended).toMatchObject({ code: 66, stderr: expect.stringContaining('expired') })
  app.access.keys = [accessibleKey(), accessibleKey({ keyId: 'k2' })]
  expect(await run(['env']).ended).toMatchObject({ code: 64, stderr: expect.stringContaining('k1, k2') })
  app.access.keys = [accessibleKey()]
  expect(await run(['no-such-command-here']).ended).toMatchObject({ code: 127 })
  expect(await run(['./missing']).ended).toMatchObject({ code: 127 })
  writeFileSync(join(folder, 'plain'), 'x', { mode: 0o644 })
  expect(await run(['./plain']).ended).toMatchObject({ code: 126 })
  expect(value(await app.terminal.handlers['terminal.pending']({}))).toEqual([])
  expect(app.uses).toEqual([])
})

test('svc-desk gets no key while the app is locked', async () => {
  app.lock(true)
  expect(await run(['env']).ended).toMatchObject({ code: 75, stderr: expect.stringContaining('locked') })
})

test.each(['key', 'webhook'] as const)('svc-desk run gets no secret of a %s if the app locks before the keychain returns the secret [V8]', async (kind) => {
  const { promise: asks, resolve: isAsked } = Promise.withResolvers<void>()
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>()
  const slow = async (secret: string) => {
    isAsked()
    await answers
    return ok(new Secret(secret))
  }
  if (kind === 'key') app.access.secretOf = leaving(() => slow(apiKey), app.unlocked)
  else app.access.webhookSecretOf = leaving(() => slow(webhookSecret), app.unlocked)
  const started = run(['/bin/sh', '-c', 'touch ran'], { words: ['--webhook', 'w1'] })
  await answering('once')
  await asks
  app.lock(true)
  answer()
  expect(await started.ended).toMatchObject({ code: 75, stdout: '', stderr: expect.stringContaining('locked') })
  expect(existsSync(join(folder, 'ran'))).toBe(false)
  expect(app.uses.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
})

test('svc-desk keys lists no keys if the app locks while the command runs, but still reports the outcome of a revocation [V8]', async () => {
  const lockMeanwhile = <T>(answer: T): T => {
    app.lock(true)
    return answer
  }
  app.access.handlers = {
    'keys.list': () => lockMeanwhile(fail({ kind: 'no_wallet' })),
    'markets.list': () => fail({ kind: 'no_wallet' }),
    ...noPlans,
    'keys.rotate': () => fail({ kind: 'sign_in_required' }),
    'keys.revoke': () => lockMeanwhile(ok({ leftInKeychain: false })),
  }
  expect(await startCommand(['keys', 'list', '--data', app.userData]).ended).toMatchObject({ code: 75, stdout: '' })
  app.lock(false)
  const revoked = startCommand(['keys', 'revoke', 'bot', '--data', app.userData])
  await answering('once')
  expect(await revoked.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('is revoked') })
})

test('svc-desk keys list shows keys as text or JSON: from the service, or from this computer if the service cannot be asked', async () => {
  app.access.keys = [accessibleKey({ label: 'bot\u001b[31m\u202e', expiresAtMs: Date.UTC(2027, 0, 2) })]
  app.access.handlers = null
  const listed = await startCommand(['keys', 'list', '--data', app.userData]).ended
  expect(listed).toMatchObject({ code: 0, stderr: expect.stringContaining('as this computer remembers them') })
  expect(listed.stdout).toBe('bot\uFFFD[31m\uFFFD  k1  active  until 2027-01-02  here  0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E\n')
  const json = await startCommand(['keys', 'list', '--json', '--data', app.userData]).ended
  expect(JSON.parse(json.stdout)).toMatchObject({
    profile: 'Main',
    source: 'computer',
    keys: [{ id: 'k1', status: 'active', expiresAt: '2027-01-02T00:00:00.000Z', here: true }],
  })
})

/** Handlers of an app without fleet plans. */
const noPlan = () => fail({ kind: 'not_found', what: 'fleet plan' } as const)
const noPlans: Handlers<'fleet.list' | 'fleet.set' | 'fleet.remove'> = { 'fleet.list': () => ok([]), 'fleet.set': noPlan, 'fleet.remove': noPlan }

test('svc-desk prints English answers regardless of the app’s language', async () => {
  app.access.handlers = {
    'keys.list': () => fail({ kind: 'no_wallet' }),
    'markets.list': () => fail({ kind: 'no_wallet' }),
    ...noPlans,
    'keys.rotate': () => fail({ kind: 'bad_input', field: 'label', issue: 'name_length 100' }),
    'keys.revoke': () => ok({ leftInKeychain: false }),
  }
  const answered = async () => {
    const rotated = startCommand(['keys', 'rotate', 'bot', '--data', app.userData])
    await answering('once')
    const { code, stdout, stderr } = await rotated.ended
    return { code, stdout, stderr }
  }
  const english = await answered()
  expect(english.stderr).toContain('label: A name has 1 to 100 characters.')
  onTestFinished(() => speakToUser(undefined))
  await speakToUser('de')
  expect(inUserLanguage(() => inputIssueText('name_length 100'))).toBe('Ein Name hat 1 bis 100 Zeichen.')
  expect(await answered()).toEqual(english)
})

test('svc-desk keys rotates or revokes a key only after the user agrees in the app, and reports when a wallet sign-in is needed', async () => {
  const calls: string[] = []
  app.access.handlers = {
    'keys.list': () => fail({ kind: 'no_wallet' }),
    'markets.list': () => fail({ kind: 'no_wallet' }),
    ...noPlans,
    'keys.rotate': () => fail({ kind: 'sign_in_required' }),
    'keys.revoke': ({ keyId, confirmLabel }) => {
      calls.push(`${keyId} ${confirmLabel}`)
      return ok({ leftInKeychain: false })
    },
  }
  const rotated = startCommand(['keys', 'rotate', 'bot', '--data', app.userData])
  expect(await answering('once')).toMatchObject({ kind: 'rotate', words: ['svc-desk', 'keys', 'rotate', 'bot'], program: null })
  expect(await rotated.ended).toMatchObject({ code: 78, stdout: '', stderr: expect.stringContaining('Sign in with your wallet in Svc Desk') })
  expect(app.events).toContainEqual(expect.objectContaining({ type: 'notice', notice: { code: 'command_needs_sign_in', wallet: null, profile: null } }))

  const revoked = startCommand(['keys', 'revoke', 'bot', '--json', '--data', app.userData])
  await answering('once')
  const { code, stdout } = await revoked.ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ profile: 'Main', action: 'revoke', key: { id: 'k1', status: 'revoked', here: false } })
  expect(calls).toEqual(['k1 bot'])
})

test('on Windows, svc-desk run refuses a word that Node cannot pass to a program', async () => {
  const heard: string[] = []
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      heard.push(String(chunk))
      done()
    },
  })
  const words = ['run', '--data', app.userData, '--key', 'bot', '--', 'node', 'bot.mjs', 'x\u{10FFFF}']
  // safe cast: the command refuses before it uses any other part
  const code = await svcDesk({ words, env: process.env, folder, platform: 'win32', version: '1.0.0', stdout: stderr, stderr } as unknown as SvcDeskParts)
  expect(code).toBe(126)
  expect(heard).toEqual(['svc-desk: Windows cannot pass the character U+10FFFF to a program. Leave it out.\n'])
})
