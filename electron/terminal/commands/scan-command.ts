import { realpath } from 'node:fs/promises'
import { basename, resolve, sep } from 'node:path'
import type { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { redacted, redactText, secretPrefixes } from '../../../shared/api/redact.ts'
import { foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import { writePrivate } from '../../kernel/files/write-private.ts'
import { readPlain } from '../../keys/leaks/files/work-tree.ts'
import { noPlaces, type PlaceFound, type PlaceSum, repositoryOf, scanCommits, scanPlaces, scanStaged } from '../../keys/leaks/place-scan.ts'
import { createFingerprints } from '../../keys/leaks/scan-job.ts'
import { type Answered, FingerprintFile } from '../channel/messages.ts'
import { exitCodes, plain, type Refusal, refusal, refusalOf, scanCodes } from '../channel/refusal.ts'
import type { ScanLine } from './command-line.ts'

interface ScanCommandParts {
  readonly version: string
  readonly folder: string
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly stdout: Writable
  readonly say: (sentence: string) => void
  /** Asks for the fingerprints of a profile's keys. */
  readonly ask: () => Promise<Answered>
}

const largestFile = 8 * 1_048_576

/** Runs `svc-desk scan`. Returns the exit code, or why it did nothing. */
export async function scanCommand(line: ScanLine, parts: ScanCommandParts): Promise<number | Refusal> {
  if (line.exportTo !== null) return exportFingerprints(line.exportTo, parts)
  const { folder, platform, env } = parts
  const known = line.fingerprints === null ? null : await readFingerprints(resolve(folder, line.fingerprints))
  if (known !== null && 'exitCode' in known) return known
  const sum = noPlaces()
  const scan = { sum, fingerprints: createFingerprints(known?.prints) }
  const paths: string[] = []
  for (const typed of line.paths.length === 0 ? ['.'] : line.paths) {
    const path = await realpath(resolve(folder, typed)).catch(() => null)
    if (path === null) return refusal('missing', `There is no file or folder ${redactText(typed)}, or it cannot be entered.`)
    paths.push(path)
  }
  if (line.what === 'files') await scanPlaces(paths, line.ignoredToo, platform, scan)
  else {
    const repository = await repositoryOf(paths[0] ?? folder, await realpath(folder), env)
    if (repository === null) return refusal('missing', `There is no git repository at ${redactText(paths[0] ?? folder)}.`)
    await (line.what === 'staged' ? scanStaged(repository, scan) : scanCommits(repository, scan))
  }
  const shown = shownScan(line, sum, known?.labels ?? new Map(), await realpath(folder).catch(() => folder))
  parts.stdout.write(line.format === 'text' ? textOf(shown) : `${JSON.stringify(line.format === 'json' ? shown : sarifOf(shown, parts), null, 2)}\n`)
  for (const sentence of remarks(shown, line.what)) parts.say(sentence)
  return shown.findings.length > 0 ? scanCodes.found : shown.unread.length > 0 ? scanCodes.incomplete : scanCodes.clean
}

async function exportFingerprints(typed: string, { folder, stdout, ask }: ScanCommandParts): Promise<number | Refusal> {
  const answered = await ask()
  if (answered.type === 'refused') return { ...answered, exitCode: answered.exitCode === exitCodes.usage ? scanCodes.usage : answered.exitCode }
  if (answered.type !== 'fingerprints') return refusal('internal', 'Svc Desk sent an unexpected answer. Restart it, then try again.')
  const path = resolve(folder, typed)
  const written = await writePrivate(path, `${JSON.stringify(answered.file, null, 2)}\n`)
  if (!written.ok) return written.failure.kind === 'file' ? refusal('unavailable', `${path} cannot be written. Name another file.`) : refusalOf(written.failure)
  const count = answered.file.secrets.length
  const missing = answered.missing === 0 ? '' : ` ${answered.missing} more are not in the keychain.`
  stdout.write(`Fingerprints of ${count} ${count === 1 ? 'secret' : 'secrets'} of ${plain(answered.profile)} are in ${path}.${missing}\n`)
  return scanCodes.clean
}

interface KnownFingerprints {
  readonly prints: NonNullable<Parameters<typeof createFingerprints>[0]>
  readonly labels: ReadonlyMap<string, string>
}

async function readFingerprints(path: string): Promise<KnownFingerprints | Refusal> {
  const text = await readPlain(path, largestFile).catch(() => null)
  if (text === undefined) return refusal('missing', `There is no file ${path}. Make one with --export-fingerprints.`)
  if (text === null) return refusal('unavailable', `${path} cannot be read.`)
  const read = FingerprintFile.safeParse(readJson(foreign(text.toString('utf8'))))
  if (!read.success) return { exitCode: scanCodes.usage, sentence: `${path} holds no fingerprints of Svc Desk.` }
  const { salt, seed, lengths, glances, secrets } = read.data
  const known = secrets.map(({ print, id }) => [print, { keyId: id, wallet: '', secret: 'current' }] as const)
  return {
    prints: { key: Buffer.from(salt, 'base64'), seed, lengths, glances, known },
    labels: new Map(secrets.map(({ id, label }) => [id, label])),
  }
}

/** What the command shows. `path`: from the folder in which the command runs, with `/`; whole if it lies elsewhere. No field contains a secret. */
interface ShownScan {
  readonly searched: ScanLine['what']
  readonly findings: readonly ShownFinding[]
  /** What could not be searched, and why. */
  readonly unread: readonly { readonly path: string; readonly why: PlaceSum['unread'][number]['why'] }[]
  readonly skipped: PlaceSum['skipped']
  readonly files: number
  readonly commits: number
  /** True if the search stopped early because it had found too much. */
  readonly stopped: boolean
}

interface ShownFinding extends Omit<PlaceFound, 'keyId'> {
  readonly mask: string
  readonly key: { readonly id: string; readonly label: string } | null
}

const masks: Readonly<Record<PlaceFound['kind'], string>> = {
  api_key: `${secretPrefixes.key}••••••••`,
  sign_in: `${secretPrefixes.session}••••••••`,
  webhook: `${secretPrefixes.webhook}••••••••`,
}

function shownScan({ what }: ScanLine, sum: PlaceSum, labels: ReadonlyMap<string, string>, here: string): ShownScan {
  const start = `${here}${here.endsWith(sep) ? '' : sep}`
  const shownPath = (path: string): string => {
    const inside = path === here ? basename(here) : path.startsWith(start) ? path.slice(start.length) : path
    return redactText(
      inside
        .split(sep)
        .map((name) => (sum.hidden.has(name) ? redacted : name))
        .join('/'),
    )
  }
  const { files, commits, skipped } = sum
  return {
    searched: what,
    findings: sum.found
      .map(({ keyId, path, ...found }) => ({
        ...{ path: shownPath(path), ...found, mask: masks[found.kind] },
        key: keyId === null ? null : { id: keyId, label: redactText(labels.get(keyId) ?? keyId) },
      }))
      .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line || a.column - b.column),
    unread: sum.unread.map(({ path, why }) => ({ path: shownPath(path), why })),
    skipped,
    ...{ files, commits, stopped: sum.tooMany },
  }
}

const kinds: Readonly<Record<PlaceFound['kind'], string>> = { api_key: 'API key', sign_in: 'sign-in', webhook: 'webhook signing secret' }
const places: Readonly<Record<PlaceFound['where'], string>> = { file: '', name: ', in the name', message: ', in the message' }

function aboutFinding({ kind, form, sure, where, commit, key, mask }: ShownFinding): string {
  const whose = key === null ? '' : `, your ${kind === 'webhook' ? 'webhook' : 'key'} ${plain(key.label)}`
  const written = form === 'plain' ? '' : ` in ${{ base64: 'base64', hex: 'hexadecimal', url: 'URL encoding' }[form]}`
  return `${sure === 'medium' ? 'likely ' : ''}${kinds[kind]} ${mask}${written}${whose}${places[where]}${commit === null ? '' : `, in commit ${commit.slice(0, 12)}`}`
}

const textOf = ({ findings }: ShownScan): string =>
  findings.map((one) => `${plain(one.path)}${one.where === 'file' ? `:${one.line}:${one.column}` : ''}: ${aboutFinding(one)}\n`).join('')

const reasons: Readonly<Record<PlaceSum['unread'][number]['why'], string>> = {
  in_part: 'too large',
  not_allowed: 'no permission',
  changed: 'it changed meanwhile',
  failed: 'it cannot be read',
  missing: 'missing, damaged or too large in git’s data',
  shallow: 'this clone has no older commits',
  git_unread: 'git’s data have a form that is not read',
}

const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`
const unreadShown = 50

/** What to say beside the findings: how much was found and searched, what could not be searched, and what was left out. */
function remarks({ findings, unread, skipped, files, commits, stopped, searched }: ShownScan, what: ScanLine['what']): string[] {
  const { binary, ignored, link, special, submodule } = skipped
  const where = what === 'staged' ? `${counted(files, 'staged file', 'staged files')}` : counted(files, 'file', 'files')
  const left = [
    [binary, 'binary file', 'binary files'],
    [ignored, 'ignored file or folder', 'ignored files and folders'],
    [link, 'link', 'links'],
    [special, 'special file', 'special files'],
    [submodule, 'submodule', 'submodules'],
  ] as const
  const leftOut = left.filter(([count]) => count > 0).map(([count, one, more]) => counted(count, one, more))
  return [
    `${findings.length === 0 ? 'No secrets' : counted(findings.length, 'secret', 'secrets')} found in ${where}${searched === 'history' ? ` of ${counted(commits, 'commit', 'commits')}` : ''}.`,
    ...(stopped ? ['The search stopped here, since it found too much.'] : []),
    ...unread.slice(0, unreadShown).map(({ path, why }) => `Not searched: ${plain(path)} (${reasons[why]}).`),
    ...(unread.length > 0 ? [`${counted(unread.length, 'place was', 'places were')} not searched.`] : []),
    ...(leftOut.length > 0 ? [`Left out: ${leftOut.join(', ')}.`] : []),
    ...(findings.length > 0 ? ['Take each secret out, and replace it in Svc Desk if others may have seen it.'] : []),
  ]
}

const rules = [
  { id: 'api_key', name: 'ApiKey', text: 'An API key of the service' },
  { id: 'sign_in', name: 'SignIn', text: 'A sign-in of the service' },
  { id: 'webhook', name: 'WebhookSecret', text: 'A signing secret of a webhook' },
] as const satisfies readonly { readonly id: PlaceFound['kind']; readonly name: string; readonly text: string }[]

/** The findings as a log in the form SARIF 2.1.0, which code hosts show beside the code. */
function sarifOf({ findings, unread }: ShownScan, { version, folder }: ScanCommandParts): object {
  const uriOf = (path: string) => (/^(?:[\\/]|[A-Za-z]:)/.test(path) ? pathToFileURL(path).href : path.split('/').map(encodeURIComponent).join('/'))
  const semantic = /^\d+\.\d+\.\d+/.test(version) ? { semanticVersion: version } : {}
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            ...{ name: 'svc-desk scan', version, ...semantic },
            rules: rules.map(({ id, name, text }) => ({ id, name, shortDescription: { text }, defaultConfiguration: { level: 'error' } })),
          },
        },
        columnKind: 'unicodeCodePoints',
        originalUriBaseIds: { HERE: { uri: `${pathToFileURL(folder).href.replace(/\/$/, '')}/` } },
        invocations: [
          {
            executionSuccessful: unread.length === 0,
            toolExecutionNotifications: unread.map(({ path, why }) => ({
              ...{ level: 'warning', message: { text: `Not searched: ${plain(path)} (${reasons[why]}).` } },
            })),
          },
        ],
        results: findings.map((one) => {
          const uri = uriOf(one.path)
          return {
            ruleId: one.kind,
            ruleIndex: rules.findIndex(({ id }) => id === one.kind),
            ...{ level: 'error', message: { text: aboutFinding(one) } },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri, ...(!uri.startsWith('file:') && { uriBaseId: 'HERE' }) },
                  ...(one.where === 'file' && { region: { startLine: one.line, startColumn: one.column } }),
                },
              },
            ],
            properties: { sure: one.sure, form: one.form, ...(one.commit !== null && { commit: one.commit }), ...(one.key !== null && { key: one.key.id }) },
          }
        }),
      },
    ],
  }
}
