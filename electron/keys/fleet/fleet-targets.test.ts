import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, type TestContext, test } from 'vitest'
import { z } from 'zod'
import { isRunning } from '../../../e2e/host/process-tree.ts'
import { kept, standIn, startSshd } from '../../../e2e/support/fleet/fleet-clients.ts'
import { FleetTarget } from '../../../shared/ipc/keys/fleet.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { consentTo, findClient, planDelivery, runClient } from './fleet-targets.ts'

const key = 'SVC_live_Zq8fW3nT0vRk51LmXy7PdG2h'
const baseUrl = 'https://dex.example/api/dex/v1'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-fleet-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function deliver(target: unknown, env: NodeJS.ProcessEnv = {}, signal?: AbortSignal) {
  const given = FleetTarget.parse(target)
  const planned = planDelivery(given)
  if (!planned.ok || planned.value.kind === 'gateway') throw new Error(JSON.stringify(planned))
  const { plan, needs } = planned.value
  const all = { HOME: folder, PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, ...env }
  const client = await findClient(plan.words, needs, all)
  if (client === null) return { outcome: 'missing', exitCode: null, signal: null, output: '' }
  return runClient(client, plan.input, new Secret(key), {
    ...{ env: all, folder, baseUrl, clock: systemClock, ...(signal !== undefined && { signal }) },
  })
}

const targets = [
  ['podman', { target: 'podman', options: { name: 'svc-key', how: 'replace' } }, 'secret create --replace svc-key -'],
  ['pass', { target: 'pass', options: { name: 'bots/grid' } }, 'insert --multiline --force bots/grid'],
  ['docker', { target: 'docker', options: { name: 'svc_key', context: null } }, 'secret create svc_key -'],
  ['gh', { target: 'github', options: { name: 'SVC_API_KEY', repo: 'acme/bots', environment: null } }, 'secret set SVC_API_KEY --repo=acme/bots'],
  [
    'glab',
    { target: 'gitlab', options: { name: 'SVC_API_KEY', repo: 'acme/bots', scope: 'production', how: 'update', branches: 'protected' } },
    'variable update SVC_API_KEY --repo=acme/bots --scope=production --masked --protected',
  ],
  ['vault', { target: 'vault', options: { mount: 'secret', path: 'bots/grid', field: 'key', how: 'put' } }, 'kv put -mount=secret bots/grid key=-'],
  ['bao', { target: 'openbao', options: { mount: 'secret', path: 'bots/grid', field: 'key', how: 'patch' } }, 'kv patch -mount=secret bots/grid key=-'],
  ['gcloud', { target: 'google', options: { name: 'svc-key', project: 'acme-bots' } }, 'secrets versions add svc-key --data-file=- --project=acme-bots'],
  [
    'aws',
    { target: 'aws', options: { name: 'bots/grid', region: 'eu-central-1', profile: 'ops' } },
    'secretsmanager put-secret-value --secret-id=bots/grid --secret-string=file:///dev/stdin --region=eu-central-1 --profile=ops',
  ],
  [
    'az',
    { target: 'azure', options: { vault: 'acme-bots', name: 'svc-key' } },
    'keyvault secret set --vault-name=acme-bots --name=svc-key --file=/dev/stdin --encoding=utf-8 --output=none',
  ],
] as const

test.each(targets)(
  'a fleet plan gives the new key to %s on its standard input only, never as an argument or in its environment [AUTH-09]',
  async (name, target, words) => {
    // Opens its input as a file, as some of these programs do.
    const opens = name === 'aws' || name === 'az'
    standIn(
      folder,
      name,
      opens ? `printf '%s\\n' "$@" > '${folder}/${name}.words'; env > '${folder}/${name}.env'; cat /dev/stdin > '${folder}/${name}.input'` : '',
    )
    expect(await deliver(target)).toMatchObject({ outcome: 'done', exitCode: 0, output: '' })
    expect(kept(folder, name, 'words').trimEnd().split('\n').join(' ')).toBe(words)
    expect(kept(folder, name, 'input')).toBe(key)
    expect(kept(folder, name, 'env')).not.toContain(key)
    for (const file of readdirSync(folder).filter((one) => one !== 'bin' && !one.endsWith('.input')))
      expect(readFileSync(join(folder, file), 'utf8')).not.toContain(key)
  },
)

const kubernetes = { target: 'kubernetes', options: { name: 'svc', entry: 'KEY', namespace: null, context: null, how: 'replace' } } as const
test.each([...targets.map(([name, target]) => ({ name, target })), { name: 'kubectl', target: kubernetes }])(
  'if the app dies before it writes the key, $name does not start, so it stores no empty key',
  async ({ name, target }) => {
    standIn(folder, name)
    const env = { HOME: folder, PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
    const planned = planDelivery(FleetTarget.parse(target))
    const client = planned.ok && planned.value.kind === 'client' ? await findClient(planned.value.plan.words, planned.value.needs, env) : null
    const { status } = spawnSync(client?.program ?? '', client?.words.slice(1) ?? [], { env, cwd: folder, input: '' })
    expect(status).toBe(1)
    expect(readdirSync(folder)).toEqual(['bin'])
  },
)

test('a client and its helpers come only from absolute folders, never from the folder in which it starts', async () => {
  for (const name of ['cat', 'helper']) writeFileSync(join(folder, name), `#!/bin/sh\ntouch '${folder}/stolen'\n/bin/cat\n`, { mode: 0o755 })
  standIn(folder, 'pass', 'KEEP; helper')
  standIn(folder, 'helper', 'echo helped')
  const found = await deliver({ target: 'pass', options: { name: 'bot' } }, { PATH: `::.:relative:${join(folder, 'bin')}:/usr/bin:/bin` })
  expect(found).toMatchObject({ outcome: 'done', output: 'helped' })
  expect(kept(folder, 'pass', 'input')).toBe(key)
  expect(existsSync(join(folder, 'stolen'))).toBe(false)
})

test('a client that does what the name of its link says gets this name', async () => {
  standIn(folder, 'snap', 'cat > /dev/null; basename "$0"')
  symlinkSync(join(folder, 'bin/snap'), join(folder, 'bin/kubectl'))
  expect(await deliver(kubernetes)).toMatchObject({ outcome: 'done', output: 'kubectl' })
})

test('a client that the app ends early is reported as unknown, not as failed, and ends even if it ignores the request', async () => {
  const ends = join(folder, 'ends')
  const started = join(folder, 'started')
  const target = { target: 'pass', options: { name: 'bot' } }
  for (const reacts of ["trap 'exit 1' TERM", "trap '' TERM"]) {
    rmSync(started, { force: true })
    standIn(folder, 'pass', `${reacts}; KEEP; echo $$ > '${ends}'; touch '${started}'; while :; do sleep 0.1; done`)
    const stop = new AbortController()
    const ending = deliver(target, {}, stop.signal)
    await expect.poll(() => existsSync(started)).toBe(true)
    stop.abort()
    expect((await ending).outcome).toBe('unknown')
    await expect.poll(() => isRunning(Number(readFileSync(ends, 'utf8')))).toBe(false)
  }
  rmSync(started)
  expect(await deliver(target, {}, AbortSignal.abort())).toMatchObject({ outcome: 'unknown' })
  expect(existsSync(started)).toBe(false)
}, 30_000)

test('a fleet plan edits an item of 1Password with a template on the client’s input, and a Kubernetes secret with a manifest', async () => {
  standIn(folder, 'op')
  await deliver({ target: 'onepassword', options: { item: 'grid bot', vault: 'Bots' } })
  expect(kept(folder, 'op', 'words')).toBe('item\nedit\ngrid bot\n--vault=Bots\n')
  expect(JSON.parse(kept(folder, 'op', 'input'))).toMatchObject({ title: 'grid bot', fields: [{ id: 'credential', value: key }] })
  standIn(folder, 'kubectl')
  await deliver(kubernetes)
  expect(kept(folder, 'kubectl', 'words')).not.toContain(key)
  expect(JSON.parse(kept(folder, 'kubectl', 'input'))).toMatchObject({ kind: 'Secret', stringData: { KEY: key } })
})

test('a client that fails is reported with its exit code and its output without the key; a client that dies or takes no input, as unknown', async () => {
  const pass = { target: 'pass', options: { name: 'bot' } }
  standIn(folder, 'pass', 'input=$(cat); echo "bad $input"; echo "$input" | base64 >&2; exit 7')
  const failed = await deliver(pass)
  expect(failed).toMatchObject({ outcome: 'failed', exitCode: 7 })
  expect(failed.output).toMatch(/^bad /)
  expect(failed.output).not.toContain(key)
  expect(failed.output).not.toContain(Buffer.from(key).toString('base64').slice(0, 24))
  standIn(folder, 'pass', 'head -c 100000 /dev/zero | tr "\\0" x; exit 1')
  expect((await deliver(pass)).output).toHaveLength(2_000)
  standIn(folder, 'pass', 'KEEP; kill -KILL $$')
  expect(await deliver(pass)).toMatchObject({ outcome: 'unknown', exitCode: 137 })
  standIn(folder, 'ssh', 'KEEP; exit 255')
  expect(await deliver({ target: 'ssh', options: { host: 'bots', port: null, path: 'key' } })).toMatchObject({ outcome: 'unknown', exitCode: 255 })
  expect(await deliver({ target: 'vault', options: { mount: 'a', path: 'b', field: 'c', how: 'put' } })).toMatchObject({ outcome: 'missing' })
})

const shape = {
  name: 'a',
  mount: 'a',
  path: 'a',
  field: 'a',
  vault: 'abc',
  item: 'a',
  repo: 'a/b',
  how: 'put',
  region: null,
  profile: null,
  scope: null,
  project: null,
}
test.each([
  ['podman', 'name', ['', '-x', 'a b', 'a/b', '$(id)', 'a\nb']],
  ['pass', 'name', ['', '-x', '../x', 'a/../b', '/etc/x', 'a//b', 'a b', '.x', 'a/-x']],
  ['gitlab', 'name', ['', '-x', '1A', 'A-B']],
  ['gitlab', 'repo', ['', 'a', '-x/y', 'a/..', '../b', 'https://x/y']],
  ['gitlab', 'scope', ['', '-x', 'a b']],
  ['vault', 'path', ['', '-x', 'a/../b', '/a', '@file', 'a b']],
  ['vault', 'field', ['', '-x', 'a=b', '@file', 'a b']],
  ['openbao', 'mount', ['', '-x', '..', 'a b']],
  ['aws', 'name', ['', '-x', 'file:///etc/passwd', 'fileb://x', 'a b', '$(id)']],
  ['aws', 'region', ['', '-x', 'EU', 'eu central']],
  ['aws', 'profile', ['', '--x', 'a b']],
  ['google', 'name', ['', '-x', 'a/b', 'a b']],
  ['google', 'project', ['', '-x', 'A', 'ab']],
  ['azure', 'vault', ['', '-x', 'a_b', 'a.b']],
  ['azure', 'name', ['', '-x', 'a/b', '@file']],
  ['onepassword', 'item', ['', '-x', 'a=b', 'a[b]', '"x"']],
] as const)('a fleet plan refuses a name for %s that its client could read as something else: %s', (target, option, bad) => {
  for (const value of bad) {
    const how = target === 'gitlab' ? 'update' : target === 'podman' ? 'create' : 'put'
    const planned = planDelivery(FleetTarget.parse({ target, options: { ...shape, how, [option]: value } }))
    expect(planned.ok ? null : planned.failure, JSON.stringify(value)).toMatchObject({ kind: 'bad_input', field: `options.${option}` })
  }
})

/** For each target, a valid value of each option that the user types or chooses, each unlike the others. */
const whole = {
  systemd: { name: 'name-1', output: '/output/2', seal: 'tpm2', content: 'key' },
  docker: { name: 'name-1', context: 'context-2', content: 'key' },
  kubernetes: { name: 'name-1', entry: 'ENTRY_2', namespace: 'namespace-3', context: 'context-4', how: 'replace', content: 'key' },
  github: { name: 'NAME_1', repo: 'owner-2/repo-2', environment: 'environment-3', content: 'key' },
  ssh: { host: 'user@host-1', port: 2222, path: 'path/3', content: 'key' },
  gateway: {},
  podman: { name: 'name-1', how: 'replace', content: 'key' },
  pass: { name: 'name/1', content: 'key' },
  gitlab: { name: 'NAME_1', repo: 'group-2/repo-2', scope: 'scope-3', how: 'update', branches: 'all', content: 'key' },
  vault: { mount: 'mount-1', path: 'path/2', field: 'field_3', how: 'put', content: 'key' },
  openbao: { mount: 'mount-1', path: 'path/2', field: 'field_3', how: 'put', content: 'key' },
  aws: { name: 'name/1', region: 'eu-central-1', profile: 'profile-3', content: 'key' },
  google: { name: 'name-1', project: 'project-2', content: 'key' },
  azure: { vault: 'vault-1', name: 'name-2', content: 'key' },
  onepassword: { item: 'item 1', vault: 'vault 2', content: 'key' },
} as const
const names = Object.keys(whole) as (keyof typeof whole)[] // The cast is safe: the keys are exactly the targets.
/** The options of a target with their other values if they are a choice. */
const optionsOf = (target: string) => {
  const schema = FleetTarget.options.find(({ shape }) =>
    new Set<string>(shape.target instanceof z.ZodLiteral ? shape.target.values : shape.target.options).has(target),
  )
  return Object.entries(schema?.shape.options.shape ?? {}).map(([option, type]) => {
    const inner: unknown = type instanceof z.ZodDefault ? type.unwrap() : type
    return { option, choices: inner instanceof z.ZodEnum ? inner.options : [] }
  })
}

test.each(names)('the dialog before a plan shows every option of %s', async (target) => {
  const options: Readonly<Record<string, unknown>> = whole[target]
  const shown = (changes: object) => consentTo('bot', FleetTarget.parse({ target, options: { ...options, ...changes } }), { PATH: '' })
  const text = await shown({})
  expect(
    optionsOf(target)
      .map(({ option }) => option)
      .sort(),
  ).toEqual(Object.keys(options).sort())
  for (const { option, choices } of optionsOf(target)) {
    if (choices.length === 0) expect(text, option).toContain(String(options[option]))
    for (const choice of choices) if (choice !== options[option]) expect(await shown({ [option]: choice }), `${option}: ${choice}`).not.toBe(text)
  }
})

test('no text that the user types for a target of a fleet plan adds an option to its client', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('--x', '-o', ';id', '$(id)', '\n', '@x', 'file://x'),
    fc.stringMatching(/^-[a-z=-]+$/),
    fc.stringMatching(/^[A-Za-z0-9_/.@:-]{1,12}$/),
    fc.stringMatching(/^[a-z]{1,4}$/),
  )
  const own =
    /^(-|-mount=.*|--(replace|multiline|force|masked|protected|repo|scope|secret-id|secret-string|region|profile|data-file|project|vault-name|name|file|encoding|output|vault)(=.*)?)$/
  const clients = ['podman', 'pass', 'gitlab', 'vault', 'openbao', 'aws', 'google', 'azure', 'onepassword'] as const
  // Valid options with typed text in one of them or a part of it, so that every target gets plans.
  const asked = fc.constantFrom(...clients).chain((target) =>
    fc.record({
      target: fc.constant(target),
      option: fc.constantFrom(
        ...Object.entries(whole[target]).flatMap(([option, value]) =>
          optionsOf(target).find((one) => one.option === option)?.choices.length === 0 ? [[option, value] as const] : [],
        ),
      ),
      text: typed,
      at: fc.constantFrom('whole', 'start', 'end'),
    }),
  )
  const planned = new Map<string, number>()
  fc.assert(
    fc.property(asked, ({ target, option: [option, value], text, at }) => {
      const injected = at === 'whole' ? text : at === 'start' ? `${text}${value}` : `${value}${text}`
      const read = FleetTarget.safeParse({ target, options: { ...whole[target], [option]: injected } })
      const plan = read.success ? planDelivery(read.data) : null
      if (plan?.ok !== true || plan.value.kind === 'gateway') return
      const key = `${target} ${option}`
      planned.set(key, (planned.get(key) ?? 0) + 1)
      for (const word of plan.value.plan.words.slice(1)) if (word.startsWith('-')) expect(word).toMatch(own)
    }),
    { numRuns: 6_000 },
  )
  for (const target of clients)
    for (const { option, choices } of optionsOf(target))
      if (choices.length === 0) expect(planned.get(`${target} ${option}`) ?? 0, `${target} ${option}`).toBeGreaterThan(0)
})

const has = (program: string) => [`/usr/bin/${program}`, `/usr/sbin/${program}`].some((path) => existsSync(path))
/** Skips a test of a real target, and says which program is missing. */
const needs = ({ skip }: TestContext, ...programs: readonly string[]) => {
  const missing = programs.filter((program) => !has(program))
  skip(missing.length > 0, `not installed: ${missing.join(', ')}`)
}

test('if sshd does not start, a test that needs it ends at once with the reason', async (context) => {
  needs(context, 'ssh-keygen')
  const broken = join(folder, 'broken')
  writeFileSync(broken, '#!/bin/sh\necho "no host key" >&2; exit 1\n', { mode: 0o755 })
  await expect(startSshd(folder, broken)).rejects.toThrow('sshd did not start: no host key')
})

test('a fleet plan delivers to a real sshd, only readable by its user, and never an empty file', async (context) => {
  needs(context, 'sshd', 'ssh', 'ssh-keygen')
  const sshd = await startSshd(folder)
  const { port } = sshd
  try {
    const target = (path: string) => ({ target: 'ssh', options: { host: `${userInfo().username}@bots`, port, path } })
    const file = join(folder, "it's $HOME.env")
    // An unknown host is refused, even if the user's configuration would accept it.
    expect(await deliver(target(file))).toMatchObject({ outcome: 'unknown', exitCode: 255 })
    expect(existsSync(file)).toBe(false)
    writeFileSync(join(folder, 'known'), sshd.knownHost)
    expect(await deliver(target(file))).toMatchObject({ outcome: 'done', exitCode: 0 })
    expect(readFileSync(file, 'utf8')).toBe(key)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const planned = planDelivery(FleetTarget.parse(target(file)))
    const remote = planned.ok && planned.value.kind === 'client' ? planned.value.plan.remote : null
    expect(() => execFileSync('/bin/sh', ['-c', remote ?? ''], { input: '', stdio: 'pipe' })).toThrow()
    expect(readFileSync(file, 'utf8')).toBe(key)
    expect(readdirSync(folder).filter((one) => one.startsWith("it's"))).toEqual(["it's $HOME.env"])
  } finally {
    await sshd.stop()
  }
}, 30_000)

test('a fleet plan delivers to the secrets of a real podman, and an existing one stays', async (context) => {
  needs(context, 'podman')
  context.skip(userInfo().uid !== 0, 'only root runs podman without a user namespace')
  const env = { CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'), XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: folder }
  writeFileSync(env.CONTAINERS_STORAGE_CONF, `[storage]\ndriver = "vfs"\nrunroot = "${folder}/run"\ngraphroot = "${folder}/graph"\n`)
  const target = { target: 'podman', options: { name: 'svc-key', how: 'create' } }
  expect(await deliver(target, env)).toMatchObject({ outcome: 'done', exitCode: 0 })
  expect(await deliver(target, env)).toMatchObject({ outcome: 'failed', exitCode: 125 })
  const data = readFileSync(join(folder, 'graph/secrets/filedriver/secretsdata.json'), 'utf8')
  expect(Object.values(z.record(z.string(), z.string()).parse(JSON.parse(data))).map((one) => Buffer.from(one, 'base64').toString())).toEqual([key])
}, 30_000)

test('a fleet plan delivers to a real pass, encrypted', async (context) => {
  needs(context, 'pass', 'gpg')
  const env = { GNUPGHOME: join(folder, 'gnupg'), PASSWORD_STORE_DIR: join(folder, 'store') }
  mkdirSync(env.GNUPGHOME)
  chmodSync(env.GNUPGHOME, 0o700)
  const run = { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] as ('ignore' | 'pipe')[] }
  try {
    execFileSync('gpg', ['--batch', '--passphrase', '', '--quick-generate-key', 'bots', 'default', 'default', 'never'], run)
    execFileSync('pass', ['init', 'bots'], run)
    expect(await deliver({ target: 'pass', options: { name: 'bots/grid' } }, env)).toMatchObject({ outcome: 'done', exitCode: 0 })
    expect(execFileSync('pass', ['show', 'bots/grid'], run).toString()).toBe(key)
    expect(readFileSync(join(folder, 'store/bots/grid.gpg'), 'latin1')).not.toContain(key)
  } finally {
    execFileSync('gpgconf', ['--kill', 'all'], run)
  }
}, 60_000)
