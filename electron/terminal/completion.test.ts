import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentEvents } from '../../shared/webhooks/events.ts'
import { readCommandLine } from './commands/command-line.ts'
import { commandNames, entryOf, help, optionNames, optionTable } from './commands/table.ts'
import { completionScript } from './completion.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-completion-'))
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'report.md'), '')
  for (const shell of ['bash', 'zsh', 'fish'] as const) writeFileSync(join(folder, `script.${shell}`), completionScript(shell))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What bash offers for the last of these words, as it cuts them itself. */
const bash = (...words: readonly string[]): string[] =>
  execFileSync(
    'bash',
    [
      '--norc',
      '-c',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's own
      'set -u; source ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); $(complete -p svc-desk | sed "s/.*-F \\([^ ]*\\).*/\\1/") || true; ((${#COMPREPLY[@]} == 0)) || printf "%s\\n" "${COMPREPLY[@]}"',
      'bash',
      'svc-desk',
      ...words,
    ],
    { cwd: folder, encoding: 'utf8' },
  )
    .split('\n')
    .filter((word) => word !== '')

describe('in bash', () => {
  test.each([
    ['', [...commandNames, 'help']],
    ['t', ['trigger', 'test-receiver']],
    ['--', ['--help', '--version']],
    ['keys ', ['list', 'rotate', 'revoke']],
    ['keys r', ['rotate', 'revoke']],
    ['keys --profile Main re', ['revoke']],
    ['keys list --j', ['--json']],
    ['keys list ', []],
    ['help li', ['listen']],
    ['listen --answer ', ['endpoint']],
    ['listen --answer = e', ['endpoint']],
    ['listen --answer =', ['endpoint']],
    ['trigger --to = localhost:1 order.f', ['order.filled']],
    ['trigger ', sentEvents],
    ['test-receiver --report r', ['report.md']],
    ['keys list --data d', ['data']],
    ['run --key ', []],
    ['run --key run --web', ['--webhook']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['run --key bot -- ./repo', []],
    ['run --key bot -- cat --to report', ['report.md']],
  ])('svc-desk %s', (typed, offered) => {
    expect(bash(...typed.split(' ')).toSorted()).toEqual([...offered].toSorted())
  })

  test('after -- come the programs of this computer', () => {
    expect(bash('run', '--key', 'bot', '--', 'bas')).toContain('bash')
  })

  test('each command is offered the options that it takes, and no others', () => {
    for (const name of commandNames) {
      const offered = bash(name, '--').filter((word) => word !== '--')
      expect(offered.toSorted(), name).toEqual([...entryOf(name).options, 'help'].map((option) => `--${option}`).toSorted())
      for (const option of optionNames.filter((one) => one !== 'help' && one !== 'version')) {
        const read = readCommandLine([name, optionTable[option].value === null ? `--${option}` : `--${option}=x`])
        const isRefused = !read.ok && /takes no --|belongs to/.test(read.failure)
        expect(isRefused, `${name} --${option}`).toBe(!offered.includes(`--${option}`))
      }
    }
  })

  test('the script is read without a word', () => {
    expect(spawnSync('bash', ['--norc', '-euc', 'source ./script.bash'], { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })
})

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

test.runIf(isThere('zsh'))('zsh reads its script', () => {
  const read = spawnSync('zsh', ['-fc', 'autoload -Uz compinit && compinit -D -u && source ./script.zsh && print $_comps[svc-desk]'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(read).toMatchObject({ stdout: '_svc_desk\n', stderr: '' })
})

test.runIf(isThere('fish'))('fish offers commands, options and events', () => {
  const fish = (typed: string) =>
    execFileSync('fish', ['-c', 'source ./script.fish; complete -C $argv[1]', `svc-desk ${typed}`], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    })
      .split('\n')
      .map((line) => line.split('\t')[0])
      .filter((word) => word !== '')
  expect(fish('k')).toEqual(['keys'])
  expect(fish('keys r').toSorted()).toEqual(['revoke', 'rotate'])
  expect(fish('trigger order.fi')).toEqual(['order.filled'])
  expect(fish('check --d').toSorted()).toEqual(['--data', '--dry-runs'])
})

test('help of a command names the options that it takes', () => {
  for (const name of commandNames) {
    const text = help(name)
    // NAME of `keys` may be given as --key too, as for `run`.
    for (const option of entryOf(name).options.filter((one) => name !== 'keys' || one !== 'key')) expect(text, `${name} --${option}`).toContain(`--${option}`)
    const told = [...(entryOf(name).help[0] ?? '').matchAll(/--([a-z][a-z-]*)/g)].map(([, option]) => option)
    for (const option of told) expect(entryOf(name).options, `help of ${name}`).toContain(option)
  }
})

test.each([
  ['completion', 'For which shell? bash, zsh, fish.'],
  ['completion bsh', 'For which shell? bash, zsh, fish. Did you mean bash?'],
  ['completion bash zsh', 'For which shell? bash, zsh, fish.'],
])('refuses %s', (line, failure) => {
  expect(readCommandLine(line.split(' '))).toEqual({ ok: false, failure })
})
