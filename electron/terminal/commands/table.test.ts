import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packagedProgram, startCommand } from '../../../e2e/support/terminal/command.ts'
import { exitCodes } from '../channel/refusal.ts'
import { readCommandLine } from './command-line.ts'
import { commandNames, commandsOf, entryOf, type HelpSubject, help, runnable, topicNames } from './table.ts'

const paths = [...commandNames, ...commandNames.flatMap(commandsOf)]
const subjects: readonly (HelpSubject | null)[] = [null, ...paths, ...topicNames]

describe.each(subjects)('svc-desk’s help text is short, readable and narrow enough for a terminal: %s', (subject) => {
  const lines = help(subject).split('\n').slice(0, -1)

  test('svc-desk’s help text fits on a screen of 80 columns', () => {
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
    // The help of these commands may be longer than 32 lines, because they have the most options.
    const isLong = subject === 'listen' || subject === 'bots add' || subject === 'bots limits'
    expect(lines.length).toBeLessThanOrEqual(isLong ? 40 : 32)
  })

  test('svc-desk’s help text uses sentences of at most 20 words', () => {
    const paragraphs =
      subject === null || topicNames.some((topic) => topic === subject)
        ? [help(subject).replaceAll('\n', '. ')]
        : entryOf(subject as (typeof paths)[number]).text // The cast is safe: the condition above excludes null and topics.
    const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/[.;:] /))
    expect(sentences.filter((sentence) => sentence.trim().split(/\s+/).length > 20)).toEqual([])
  })
})

test('svc-desk’s help overview and the help of each short command fit in 24 lines', () => {
  for (const subject of [null, ...commandsOf('keys'), 'keys', 'completion', 'exit-codes', 'environment'] as const)
    expect(help(subject).split('\n').length - 1, `${subject}`).toBeLessThanOrEqual(24)
})

test('svc-desk’s help overview lists every command in aligned columns, with the global options and the topics', () => {
  const text = help(null)
  for (const path of commandNames) expect(text).toContain(`  ${path.padEnd(15)}${entryOf(path).about}\n`)
  for (const words of ['-h, --help', '--version', 'svc-desk help COMMAND', 'svc-desk help exit-codes, environment']) expect(text).toContain(words)
})

test.each(runnable)('svc-desk’s help for %s shows usage, every option and valid examples', (path) => {
  const text = help(path)
  const { options, examples } = entryOf(path)
  expect(text).toContain(`Usage: svc-desk ${path} `)
  for (const option of options) expect(text).toMatch(new RegExp(`^  --${option}( [A-Z]+)?  `, 'm'))
  const named = [...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, option]) => option)
  for (const option of named) expect([...options, 'help']).toContain(option)
  expect(examples.length).toBeGreaterThan(0)
  for (const example of examples) {
    const [, words = ''] = /^(?:.*svc-desk )?([^>")]*)/.exec(example) ?? []
    expect(readCommandLine(words.trim().split(' ')), example).toMatchObject({ ok: true })
  }
})

test('svc-desk’s help explains every exit code under exit-codes, and every variable of the run command under environment', () => {
  for (const code of Object.values(exitCodes)) expect(help('exit-codes')).toMatch(new RegExp(`^  ${code} `, 'm'))
  for (const name of ['SVC_BASE_URL', 'SVC_API_KEY', 'SVC_WEBHOOK_SECRET']) expect(help('environment')).toContain(`  ${name} `)
})

test('svc-desk prints the same help for --help, -h and help, in any position', () => {
  for (const path of paths) {
    const expected = { ok: true, value: { action: 'help', of: path } }
    for (const line of [`${path} --help`, `${path} -h`, `--help ${path}`, `help ${path}`]) expect(readCommandLine(line.split(' ')), line).toEqual(expected)
  }
  for (const topic of topicNames) expect(readCommandLine(['help', topic])).toEqual({ ok: true, value: { action: 'help', of: topic } })
})

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string } // npm's own file

test('svc-desk prints its help and version without the app, its data or a display', async () => {
  const env = { DISPLAY: '', WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' }
  const start = (...words: string[]) => startCommand(words, { env }).ended
  expect(await start('help', 'keys', 'rotate')).toMatchObject({ code: 0, stdout: help('keys rotate'), stderr: '' })
  expect(await start('--version')).toMatchObject({ code: 0, stdout: `svc-desk ${packagedProgram === undefined ? 'source' : manifest.version}\n`, stderr: '' })
  expect(await start('lisen')).toMatchObject({ code: 64, stdout: '', stderr: 'svc-desk: Unknown command lisen. Did you mean listen? Run `svc-desk --help`.\n' })
})
