import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { dialogLines, most } from '../../../kernel/files/dialogs.ts'
import { planHandover } from './handover.ts'
import { pictureOf } from './outlet-plan.ts'

const key = 'SVC_live_Zq8fW3nT0vRk51LmXy7PdG2h'
const baseUrl = 'https://dex.example/api/dex/v1'

const plan = (handover: unknown) => {
  const planned = planHandover(Handover.parse(handover))
  if (!planned.ok) throw new Error(JSON.stringify(planned.failure))
  return planned.value
}
const refusal = (handover: unknown) => {
  const planned = planHandover(Handover.parse(handover))
  return planned.ok ? null : planned.failure
}

const systemd = { name: 'svc-api-key', output: '/etc/credstore.encrypted/svc-api-key', seal: 'auto' }
const docker = { name: 'svc_api_key', context: null }
const kubernetes = { name: 'svc-key', entry: 'SVC_API_KEY', namespace: 'bots', context: null, how: 'create' }
const github = { name: 'SVC_API_KEY', repo: 'acme/bots', environment: null }
const ssh = { host: 'me@bots.example', port: null, path: 'bot/.env' }

// Includes systemd, whose paths Windows does not have.
test.skipIf(process.platform === 'win32')(
  'for each kind of program that can get a key, the app builds arguments without the secret, and passes the secret as input [AUTH-09]',
  () => {
    const shown = (handover: unknown) => {
      const { words, input } = plan(handover)
      expect(words.join(' ')).not.toContain(key)
      return [words.join(' '), input({ key, baseUrl })]
    }
    expect(shown({ target: 'systemd', options: systemd })).toEqual([
      'systemd-creds encrypt --name=svc-api-key --with-key=auto - /etc/credstore.encrypted/svc-api-key',
      key,
    ])
    expect(shown({ target: 'systemd', options: { ...systemd, output: null, seal: 'host+tpm2' } })).toEqual([
      'systemd-creds encrypt --name=svc-api-key --with-key=host+tpm2 --pretty - -',
      key,
    ])
    expect(shown({ target: 'docker', options: { ...docker, context: 'swarm-1', content: 'env' } })).toEqual([
      'docker --context=swarm-1 secret create svc_api_key -',
      `SVC_API_KEY=${key}\nSVC_BASE_URL=${baseUrl}\n`,
    ])
    const [words, manifest] = shown({ target: 'kubernetes', options: kubernetes })
    expect(words).toBe('kubectl --namespace=bots create --filename=-')
    expect(JSON.parse(manifest ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'svc-key', namespace: 'bots' },
      type: 'Opaque',
      stringData: { SVC_API_KEY: key },
    })
    expect(shown({ target: 'kubernetes', options: { ...kubernetes, namespace: null, context: 'arn:aws:eks:x:1:cluster/a', how: 'replace' } })[0]).toBe(
      'kubectl --context=arn:aws:eks:x:1:cluster/a apply --server-side --force-conflicts --filename=-',
    )
    expect(shown({ target: 'github', options: { ...github, environment: 'production' } })).toEqual([
      'gh secret set SVC_API_KEY --repo=acme/bots --env=production',
      key,
    ])
    expect(shown({ target: 'command', options: { words: ['glab', 'variable', 'set', 'SVC_API_KEY', '--masked'] } })).toEqual([
      'glab variable set SVC_API_KEY --masked',
      key,
    ])
  },
)

test.each([
  ['systemd', systemd, 'name', ['', '-x', '../x', 'a/b', 'a b', 'x'.repeat(129)]],
  ['systemd', systemd, 'output', ['', 'cred', '--x', '/etc/../x', '/etc/', '/a\nb']],
  ['docker', docker, 'name', ['', '-x', 'a b', 'a/b', 'a-', '$(id)']],
  ['docker', docker, 'context', ['', '-H', 'a b', '--host=evil']],
  ['kubernetes', kubernetes, 'name', ['', '-x', 'Upper', 'a_b', 'a..b', '--all']],
  ['kubernetes', kubernetes, 'entry', ['', '..', 'a/b', 'a=b']],
  ['kubernetes', kubernetes, 'namespace', ['', '-x', 'a.b']],
  ['kubernetes', kubernetes, 'context', ['', '--server=evil', 'a b']],
  ['github', github, 'name', ['', '-x', '1A', 'GITHUB_TOKEN', 'A-B', 'a b']],
  ['github', github, 'repo', ['', 'acme', '-x/y', 'a/b/c/d', 'acme/..', '../x']],
  ['github', github, 'environment', ['', '-x', 'a"b', "a'b", 'a\nb']],
  ['ssh', ssh, 'host', ['', '-oProxyCommand=id', 'me@-oProxyCommand=id', 'a b', 'host;id', 'a@b@c', '$(id)']],
  ['ssh', ssh, 'path', ['', '~', '~/', '~other/x', '/etc/', '.', '..', '/a/..', 'a\nb', 'a\\b', 'a!b']],
  ['command', { words: ['gh'] }, 'words', [[''], ['-x'], ['gh', 'a\nb'], ['gh', 'a\0b'], ['gh', `--body=${key}`]]],
] as const)('the app refuses parts of a %s command for a key handover that could be read as something else: %#', (target, options, option, bad) => {
  for (const value of bad)
    expect(refusal({ target, options: { ...options, [option]: value } }), JSON.stringify(value)).toMatchObject({
      kind: 'bad_input',
      field: `options.${option}`,
    })
})

test('text that the user types never adds an option to the command that gets a key', () => {
  const typed = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('--x', '-o', ';id', '$(id)', '`id`', '\n', "'"), fc.stringMatching(/^-[a-zA-Z=-]+$/))
  const own = /^(--(name|with-key|pretty|context|namespace|server-side|force-conflicts|filename|repo|env)(=|$)|-[Top]$|-$|--$)/
  const every = fc.oneof(
    fc.record({ name: typed, output: typed }).map((over) => ({ target: 'systemd', options: { ...systemd, ...over } })),
    fc.record({ name: typed, context: typed }).map((over) => ({ target: 'docker', options: { ...docker, ...over } })),
    fc
      .record({ name: typed, entry: typed, namespace: typed, context: typed }, { requiredKeys: [] })
      .map((over) => ({ target: 'kubernetes', options: { ...kubernetes, ...over } })),
    fc.record({ name: typed, repo: typed, environment: typed }, { requiredKeys: [] }).map((over) => ({ target: 'github', options: { ...github, ...over } })),
    fc.record({ host: typed, path: typed }, { requiredKeys: [] }).map((over) => ({ target: 'ssh', options: { ...ssh, ...over } })),
  )
  fc.assert(
    fc.property(every, (handover) => {
      const planned = planHandover(Handover.parse(handover))
      if (!planned.ok) return
      for (const word of planned.value.words.slice(1)) {
        if (word.startsWith('-')) expect(word).toMatch(own)
        expect(word).not.toMatch(/[\0\n\r]/)
      }
    }),
    { numRuns: 2_000 },
  )
})

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-desk-remote-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const onOtherComputer = (remote: string | null, shell = '/bin/sh') =>
  execFileSync(shell, ['-c', remote ?? ''], { cwd: home, input: key, stdio: ['pipe', 'pipe', 'pipe'] })

const everything = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).sort()

// Runs the shell of the other computer here.
test.skipIf(process.platform === 'win32').each([
  ['bot.env', 'bot.env'],
  ['~/bot.env', 'bot.env'],
  ["it's $(touch pwned) `touch pwned`; touch pwned #", "it's $(touch pwned) `touch pwned`; touch pwned #"],
  ['-rf *', '-rf *'],
  ['"$HOME" && {a,b} > x | y', '"$HOME" && {a,b} > x | y'],
])('the shell command that hands a key to a remote computer writes %s and changes nothing else', (path, file) => {
  onOtherComputer(plan({ target: 'ssh', options: { ...ssh, path } }).remote)
  expect(everything(home)).toEqual([file])
  expect(readFileSync(join(home, file), 'utf8')).toBe(key)
  expect(statSync(join(home, file)).mode & 0o777).toBe(0o600)
})

// Runs the shell of the other computer here.
test.skipIf(process.platform === 'win32')(
  'when the app sends a key to another computer by ssh, the shell there uses exactly the path that the user typed',
  () => {
    const path = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...`ab '"$\`;&|<>(){}[]*?#~=%^,:@+-_.é\t`) })
    fc.assert(
      fc.property(path, (name) => {
        const planned = planHandover(Handover.parse({ target: 'ssh', options: { ...ssh, path: name } }))
        if (!planned.ok) return
        onOtherComputer(planned.value.remote)
        expect(everything(home)).toEqual([name.replace(/^~\//, '')])
        rmSync(home, { recursive: true })
        mkdirSync(home)
      }),
      { numRuns: 60 },
    )
  },
)

// Runs the shell of the other computer here.
test.skipIf(process.platform === 'win32')(
  'sending a key by ssh replaces an existing file or link on the other computer with a new file that only its owner can read',
  () => {
    const { remote } = plan({ target: 'ssh', options: { ...ssh, path: 'bot.env' } })
    writeFileSync(join(home, 'elsewhere'), 'kept', { mode: 0o644 })
    symlinkSync('elsewhere', join(home, 'bot.env'))
    onOtherComputer(remote)
    expect(readFileSync(join(home, 'elsewhere'), 'utf8')).toBe('kept')
    expect(statSync(join(home, 'bot.env')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(home, 'bot.env'), 'utf8')).toBe(key)
    expect(everything(home)).toEqual(['bot.env', 'elsewhere'])
  },
)

// Runs the shell of the other computer here.
test.skipIf(process.platform === 'win32')(
  'sending a key by ssh fails and leaves no file on the other computer if the path is a folder or the parent folder is missing',
  () => {
    mkdirSync(join(home, 'there'))
    for (const path of ['there', 'missing/bot.env']) expect(() => onOtherComputer(plan({ target: 'ssh', options: { ...ssh, path } }).remote), path).toThrow()
    expect(everything(home)).toEqual(['there'])
  },
)

test.each([
  ['\u202e', 'a change of direction'],
  ['\u2028', 'a line separator'],
  ['\u200b', 'a zero-width space'],
  ['\u{e0041}', 'a tag'],
  ['\n', 'a line end'],
])('the app refuses a command argument with %j, because %s would make the confirmation dialog misleading [V10]', (character) => {
  const word = `a${character}b`
  for (const handover of [
    { target: 'command', options: { words: ['tool', word], content: 'key' } },
    { target: 'ssh', options: { ...ssh, path: `bot/${word}`, content: 'key' } },
    { target: 'systemd', options: { ...systemd, output: `/etc/${word}`, content: 'key' } },
    { target: 'github', options: { ...github, environment: word, content: 'key' } },
  ])
    expect(refusal(handover), handover.target).toMatchObject({ kind: 'bad_input' })
})

test('the app refuses a command that gets a key if the confirmation dialog could not show all of the command’s words [V10]', () => {
  const command = (length: number) => ({ target: 'command', options: { words: ['tool', 'x'.repeat(length), 'last'], content: 'key' } })
  expect(refusal(command(1_500))).toMatchObject({ kind: 'bad_input', field: 'options.words' })
  expect(refusal({ target: 'ssh', options: { ...ssh, path: `bot/${'x'.repeat(1_000)}`, content: 'key' } })).toMatchObject({ field: 'options.path' })
  const picture = dialogLines(
    pictureOf(plan(command(900)), { target: 'command', options: { words: ['tool'] } }, `/usr/bin/${'p'.repeat(4_000)}/tool`),
    most.detail,
  )
  expect(picture.split('\n').map((line) => line.trim())).toEqual(expect.arrayContaining(['tool', 'x'.repeat(900), 'last']))
})

test('the app refuses a command that gets a key if a word contains U+10FFFF, which Node on Windows cannot pass to a program', () => {
  const command = { target: 'command', options: { words: ['tool', 'x\u{10FFFF}'], content: 'key' } }
  expect(refusal(command)).toMatchObject({ kind: 'bad_input', field: 'options.words', issue: 'hidden_characters' })
})
