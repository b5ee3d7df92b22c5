import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentEvents } from '../../shared/webhooks/events.ts'
import { readCommandLine } from './commands/command-line.ts'
import { commandNames, entryOf, optionNames, optionTable, runnable, topicNames } from './commands/table.ts'
import { completionScript } from './completion.ts'

let folder: string
let env: NodeJS.ProcessEnv
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-completion-'))
  env = { PATH: `${folder}/bin:${process.env.PATH}`, HOME: folder, TERM: 'xterm', BOT_SECRET: 'x' }
  for (const name of ['data', 'bin', '.config/fish/completions']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'report.md'), '')
  for (const shell of ['bash', 'zsh', 'fish'] as const) writeFileSync(join(folder, `script.${shell}`), completionScript(shell))
  writeFileSync(join(folder, 'bin/svc-desk'), `#!/bin/sh\ncat '${folder}'/script."$2"\n`)
  chmodSync(join(folder, 'bin/svc-desk'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

const bash = (typed: string): string[] =>
  linesOf(
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's own
        'set -u; source ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); $(complete -p svc-desk | sed "s/.*-F \\([^ ]*\\).*/\\1/") || true; ((${#COMPREPLY[@]} == 0)) || printf "%s\\n" "${COMPREPLY[@]}"',
        'bash',
        'svc-desk',
        ...typed.split(' '),
      ],
      { cwd: folder, encoding: 'utf8', env },
    ),
  )

function zsh(typed: string): string[] {
  const found = join(folder, 'found')
  rmSync(found, { force: true })
  writeFileSync(
    join(folder, '.zshrc'),
    `autoload -Uz compinit && compinit -D -u && source ${folder}/script.zsh
compadd() {
  local -a hits
  [[ $* == *-[OAD]\\ * ]] || { builtin compadd -A hits "$@"; print -l -- $hits >> ${found}; }
  builtin compadd "$@"
}
zstyle ':completion:*' list-prompt ''
LISTMAX=10000
zle-line-init() { [[ -n $done ]] && exit; done=1; BUFFER='svc-desk ${typed}'; CURSOR=$#BUFFER; zle list-choices; BUFFER=exit; zle accept-line }
zle -N zle-line-init
`,
  )
  const [script, ...words] = ['script', '--quiet', '--return', '--command', 'exec zsh -i', '/dev/null'] as const
  execFileSync(script, words, {
    cwd: folder,
    env: { ...env, ZDOTDIR: folder },
    timeout: 20_000,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return existsSync(found) ? linesOf(readFileSync(found, 'utf8')) : []
}

const fish = (typed: string): string[] =>
  linesOf(execFileSync('fish', ['-c', 'source ./script.fish; complete -C $argv[1]', `svc-desk ${typed}`], { cwd: folder, encoding: 'utf8', env })).map(
    (line) => line.split('\t')[0] ?? '',
  )

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0
const shells = Object.entries({ bash, zsh, fish }).filter(([shell]) => isThere(shell))

const optionsOf = (path: Parameters<typeof entryOf>[0]): string[] => [...entryOf(path).options, 'help'].map((option) => `--${option}`)

describe.each(shells)('svc-desk’s shell completion in %s offers only words that fit at the cursor', (shell, complete) => {
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
    ['help ', [...commandNames, ...topicNames]],
    ['help keys ', ['list', 'rotate', 'revoke']],
    ['help trigger ', []],
    ['listen --answer ', ['endpoint']],
    ['listen --secret-env BOT_S', ['BOT_SECRET']],
    ['trigger order.f', ['order.filled']],
    ['trigger ', sentEvents],
    ['test-receiver --report r', ['report.md']],
    ['keys list --data d', [shell === 'fish' ? 'data/' : 'data']],
    ['run --key ', []],
    ['run --key run --web', ['--webhook']],
    ['completion ', ['bash', 'zsh', 'fish']],
  ])('the shell completion of svc-desk offers the right words after this text: svc-desk %s', (typed, offered) => {
    // zsh offers options if nothing else matches. Ignore them unless the user typed a dash.
    const found = complete(typed).filter((word) => !word.startsWith('-') || / -\S*$/.test(` ${typed}`))
    expect([...new Set(found)].toSorted()).toEqual([...offered].toSorted())
  })

  test.each(runnable)('shell completion offers exactly the options that svc-desk %s accepts', (path) => {
    expect([...new Set(complete(`${path} --`).filter((word) => word !== '--'))].toSorted()).toEqual(optionsOf(path).toSorted())
  })

  test('svc-desk’s shell completion offers the programs and files of this computer after --', () => {
    expect(complete('run --key bot -- bas')).toContain('bash')
    expect(complete('run --key bot -- cat rep')).toEqual(['report.md'])
  })
})

describe('svc-desk’s completion script for bash completes commands', () => {
  test.each([
    ['listen --answer = e', ['endpoint']],
    ['listen --answer =', ['endpoint']],
    ['trigger --to = localhost:1 order.f', ['order.filled']],
    ['run --key bot -- ./repo', []],
    ['run --key bot -- cat --to report', ['report.md']],
  ])('the bash completion of svc-desk reads the command line correctly in this text: svc-desk %s', (typed, offered) => {
    expect(bash(typed)).toEqual(offered)
  })

  test('bash loads svc-desk’s completion script without any output', () => {
    expect(spawnSync('bash', ['--norc', '-euc', 'source ./script.bash'], { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })
})

test('svc-desk accepts exactly the options that its shell completion offers', () => {
  for (const path of runnable)
    for (const option of optionNames.filter((one) => one !== 'help' && one !== 'version')) {
      const read = readCommandLine([...path.split(' '), optionTable[option].value === null ? `--${option}` : `--${option}=x`])
      expect(!read.ok && read.failure.includes(`${path} takes no --${option}.`), `${path} --${option}`).toBe(!optionsOf(path).includes(`--${option}`))
    }
})

describe('svc-desk’s shell completion works after the installation that its help shows', () => {
  const [inBash = '', inZsh = '', inFish = ''] = entryOf('completion').examples
  const install = (line: string) => execFileSync('sh', ['-c', line], { env })

  test('after its installation, the completion script makes bash complete svc-desk commands', () => {
    install(inBash)
    const { stdout, stderr } = spawnSync('bash', ['-c', 'source ~/.bashrc; complete -p svc-desk'], { env, encoding: 'utf8' })
    expect(stdout, stderr).toBe('complete -F _svc_desk svc-desk\n')
  })

  test.runIf(isThere('zsh'))('zsh finds the installed completion script of svc-desk', () => {
    writeFileSync(join(folder, '.zshrc'), 'autoload -Uz compinit\ncompinit -D -u\n')
    install(inZsh)
    const { stdout, stderr } = spawnSync('zsh', ['-fc', 'source ~/.zshrc; print $_comps[svc-desk]'], { env, encoding: 'utf8' })
    expect(stdout, stderr).toBe('_svc_desk\n')
  })

  test.runIf(isThere('fish'))('fish finds the installed completion script of svc-desk', () => {
    install(inFish)
    expect(execFileSync('fish', ['-c', 'complete -C "svc-desk ke"'], { env, encoding: 'utf8' })).toBe('keys\tList, rotate or revoke keys\n')
  })
})

test.each([
  ['completion', 'Name one shell: bash, zsh or fish. Run `svc-desk help completion`.'],
  ['completion bsh', 'Name one shell: bash, zsh or fish. Did you mean bash? Run `svc-desk help completion`.'],
  ['completion bash zsh', 'Name one shell: bash, zsh or fish. Run `svc-desk help completion`.'],
])('the terminal program svc-desk refuses the command line for shell completion: %s', (line, failure) => {
  expect(readCommandLine(line.split(' '))).toEqual({ ok: false, failure })
})
