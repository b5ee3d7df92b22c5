import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCommand, startOnTerminal } from '../../../e2e/support/terminal/command.ts'
import { createReceiver, type Faults, testSecret } from '../../../e2e/support/webhooks/receivers.ts'
import { type ServedReceiver, serve } from '../../../e2e/support/webhooks/serve.ts'
import { createTestTime } from '../../../e2e/support/webhooks/test-time.ts'
import { sentEvents } from '../../../shared/webhooks/events.ts'

const receiver = (faults: Faults = {}, secret = testSecret) => createReceiver(createTestTime(Date.now()), faults, secret)
const env = { BOT_SECRET: testSecret }
const send = (served: ServedReceiver, ...words: string[]) =>
  startCommand(['trigger', '--to', served.url, '--secret-env', 'BOT_SECRET', ...words], { env }).ended

test('svc-desk trigger sends one signed sample event, prints the receiver’s answer, and exits with a code that depends on it [HOOK-05] [HOOK-06]', async () => {
  await using right = await serve(receiver())
  // Users may type the URL without `http://`, so the test does so too.
  const taken = await send({ ...right, url: right.url.replace('http://', '') }, 'transaction.pending')
  expect(taken).toMatchObject({ code: 0, stderr: '' })
  expect(taken.stdout).toMatch(/^transaction\.pending evt_sample_[0-9a-f-]{36}\n204, after \d+ ms\n$/)
  const event = JSON.parse(right.incoming[0]?.raw.toString() ?? '')
  expect(event).toMatchObject({ type: 'transaction.pending', data: { sample: true }, revoked_event_id: expect.stringMatching(/^evt_sample_/) })
  expect(right.incoming[0]?.headers).toMatchObject({ 'x-svc-event': 'transaction.pending', 'x-svc-event-id': event.id })

  await using other = await serve(receiver({}, 'svc_whsec_other'))
  const refused = await send(other, 'order.filled', '--json')
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({
    event: 'order.filled',
    taken: false,
    outcome: 'answered',
    status: 401,
    ms: expect.any(Number),
    url: other.url,
  })
  const plainly = await send(other, 'order.filled')
  expect(plainly.stdout).toMatch(/\n401.*, after \d+ ms: not accepted, since a receiver must answer 2xx within 4 s\n$/)
  expect(`${taken.stdout}${refused.stdout}`).not.toContain('f00d')
})

test('svc-desk trigger lists the events that the service sends, and sends no others [HOOK-02]', async () => {
  const { stdout } = await startCommand(['trigger', '--list']).ended
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split(' ')[0])
      .toSorted(),
  ).toEqual(sentEvents.toSorted())
  await using served = await serve(receiver())
  expect(await send(served, 'liquidation.warning')).toMatchObject({ code: 64, stderr: expect.stringContaining('Unknown event liquidation.warning.') })
  expect(served.incoming).toEqual([])
})

test.each([
  ['a variable that is not set', ['--to', 'http://127.0.0.1:9/in', '--secret-env', 'NO_SUCH_THING'], 64, 'NO_SUCH_THING is not set'],
  ['no terminal to show a secret on', ['--to', 'http://127.0.0.1:9/in'], 64, 'no terminal to show a secret on'],
  [
    'a public host, and no terminal to type it on',
    ['--to', 'https://93.184.216.34/in', '--secret-env', 'BOT_SECRET'],
    77,
    'so you must type its name. Run svc-desk on a terminal.',
  ],
  [
    'an address that the service cannot reach',
    ['--to', 'https://10.0.0.1/in', '--secret-env', 'BOT_SECRET'],
    64,
    'svc-desk cannot send to that URL. 10.0.0.1 is not a public address',
  ],
  ['a secret on the command line', ['--to', 'http://127.0.0.1:9/in', '--secret-env', testSecret], 64, 'replace this secret'],
])('the terminal command svc-desk trigger refuses this and gives the reason: %s', async (_what, words, code, sentence) => {
  const ended = await startCommand(['trigger', 'order.filled', ...words], { env }).ended
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) })
  expect(ended.stderr).not.toContain('f00d')
})

test('svc-desk trigger sends nothing to a public host unless the user types the host’s name correctly', async () => {
  const started = startOnTerminal(['trigger', 'order.filled', '--to', 'https://93.184.216.34/in', '--secret-env', 'BOT_SECRET'], { env })
  await started.says('Type 93.184.216.34 to send them')
  started.type('93.184.216.3\r')
  expect(await started.ended).toMatchObject({ code: 77, stdout: expect.stringContaining('You did not type 93.184.216.34. Nothing was sent.') })
})

test('svc-desk trigger without a signing secret shows a new one, and signs with it once the user confirms that the receiver has it [HOOK-06]', async () => {
  let [made, right] = ['', receiver()]
  await using served = await serve({ acted: [], take: (incoming) => right.take(incoming) })
  const started = startOnTerminal(['trigger', 'order.filled', '--to', served.url])
  await started.says('press Enter')
  await expect.poll(() => started.stdout()).toMatch(/svc_whsec_[0-9a-f]{64}\s/)
  made = /svc_whsec_[0-9a-f]{64}/.exec(started.stdout())?.[0] ?? ''
  right = receiver({}, made)
  expect(served.incoming).toEqual([])
  started.type('\r')
  expect(await started.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('204, after') })
})

test('svc-desk test-receiver tests a receiver, prints one line per check, and writes the report [HOOK-08]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-receiver-'))
  try {
    const right = receiver()
    await using served = await serve(right)
    const command = (...words: string[]) => startCommand(['test-receiver', '--to', served.url, '--secret-env', 'BOT_SECRET', ...words], { env, folder }).ended
    const passed = await command('--effects', served.effectsUrl, '--report', 'report.json')
    expect(passed).toMatchObject({ code: 0, stderr: '' })
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
    expect(report).toMatchObject({ verdict: 'passed', secret: 'own', url: served.url })
    expect(passed.stdout).toContain(`${report.checks.length} passed, 0 failed, 0 unknown`)
    for (const { title } of report.checks) expect(passed.stdout).toContain(`passed   ${title}: `)

    await using broken = await serve(receiver({ answers: () => ({ status: 302, location: '/login' }) }))
    const failed = await startCommand(['test-receiver', '--to', broken.url, '--secret-env', 'BOT_SECRET', '--report', 'report.md'], { env, folder }).ended
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('FAILED   Answers without a redirect: 1 of 1 valid deliveries were answered 302') })
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('# Receiver test: FAILED')
    expect(await command('--effects', 'http://127.0.0.1:1/effects')).toMatchObject({ code: 64, stderr: expect.stringContaining('on the host of --to') })
    expect(
      await startCommand(['test-receiver', '--to', broken.url, '--secret-env', 'BOT_SECRET', '--report', 'no/report.md'], { env, folder }).ended,
    ).toMatchObject({ code: 69 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('svc-desk test-receiver ends at Ctrl-C with a report of the results so far [HOOK-08]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-receiver-'))
  try {
    const right = receiver()
    await using served = await serve(right)
    const words = ['test-receiver', '--to', served.url, '--secret-env', 'BOT_SECRET', '--report', 'report.json']
    const started = startCommand(words, { env, folder })
    await started.says('Accepts every event type')
    started.process.kill('SIGINT')
    const { code, stdout, stderr } = await started.ended
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    expect(stdout).toContain('Stopped early: ')
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
    expect(report).toMatchObject({
      verdict: 'stopped',
      url: served.url,
      checks: expect.arrayContaining([expect.objectContaining({ id: 'event_types', result: 'passed' })]),
    })
    expect(report.checks.at(-1)).toMatchObject({ result: 'unknown', why: 'stopped before the end' })
    expect(served.incoming.length).toBeLessThan(60)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
