import { existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { basename, join } from 'node:path'
import { redactText } from '../../../shared/api/redact.ts'
import { contract, type Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Health, Settings } from '../../../shared/ipc/host/app.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { dialogWords, fileKind } from '../../kernel/files/dialog-words.ts'
import type { FileDialogs } from '../../kernel/files/dialogs.ts'
import { createSaveText } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { Secret } from '../../kernel/secret.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { type ProfileStore, practiceId } from '../../store/records/profile-store.ts'
import type { StoredProfile } from '../../store/records/registry.ts'
import { createMask, secretForms } from '../../store/secrets/mask.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import type { Folders } from '../app/folders.ts'

type SupportJournal = Pick<SqliteJournal, 'counts' | 'portable' | 'state' | 'trouble' | 'secretIndex' | 'webhookIndex'>

export interface SupportParts {
  readonly info: () => { readonly version: string; readonly host: Output<'app.info'>['host']; readonly platform: string; readonly packaged: boolean }
  readonly clock: Clock
  readonly settings: () => Settings
  readonly isLockSet: () => boolean
  readonly health: () => Promise<Result<Health, Failure>>
  readonly store: Pick<ProfileStore, 'list' | 'activeId'>
  readonly workspace: () => Promise<{ readonly profileId: string; readonly journal: SupportJournal } | null>
  readonly folders: Pick<Folders, 'log' | 'profileJournal'>
  readonly keychains: Readonly<Record<'live' | 'practice', Pick<SecretStore, 'get'>>>
  readonly files: Pick<FileDialogs, 'chooseToSave'>
  readonly home: string
  /** Names of this computer and its user. The support bundle must not show them. */
  readonly ownNames: readonly string[]
}

const mostLines = 400

/** Creates the handlers for a support bundle. They collect facts for a support request, show them to the user, and save exactly what the user saw. */
export function createSupportBundle(parts: SupportParts): HandlersOf<'supportBundle'> {
  const saveText = createSaveText(parts.files)
  let shown: string | null = null
  return {
    async 'supportBundle.make'() {
      shown = await writeBundle(parts)
      return ok({ text: shown })
    },
    async 'supportBundle.save'() {
      const text = shown
      if (text === null) return fail({ kind: 'not_found', what: 'report' })
      const suggested = join(parts.home, `svc-desk-support-${new Date(parts.clock.now()).toISOString().slice(0, 10)}.txt`)
      const saved = await saveText({ ...dialogWords('saveSupport'), kinds: [fileKind('txt')], suggested }, () => text)
      return saved.ok ? ok({ path: saved.value === null ? null : basename(saved.value) }) : saved
    },
  }
}

/**
 * Writes the support bundle. It is always in English, because support staff read it. Everything except the log consists of fixed words and numbers.
 */
async function writeBundle(parts: SupportParts): Promise<string> {
  const { version, host, platform, packaged } = parts.info()
  const settings = parts.settings()
  const health = await parts.health()
  const { lines, words, secrets } = await readProfiles(parts)
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      'Svc Desk support bundle',
      [
        `made: ${new Date(parts.clock.now()).toISOString()}`,
        `version: ${version}${packaged ? '' : ' (from source)'}`,
        `runs in: ${host}`,
        `system: ${platform} ${release()} ${process.arch}`,
        ...(['electron', 'chrome', 'node'] as const).flatMap((name) => (process.versions[name] === undefined ? [] : [`${name}: ${process.versions[name]}`])),
      ],
    ],
    ['Health', health.ok ? healthLines(health.value) : [`not read: ${health.failure.kind}`]],
    [
      'Settings',
      [
        ...(['theme', 'directionColours', 'textSize', 'language', 'rail', 'hideAmounts'] as const).map((name) => `${name}: ${settings[name]}`),
        `projectId: ${settings.projectId === null ? 'built in' : 'own'}`,
        `lock: ${parts.isLockSet() ? 'on' : 'off'}`,
      ],
    ],
    ['Exchanges', lines],
    ['Log', logLines(parts.folders.log, createHide({ words, secrets }))],
  ]
  return `${sections.map(([title, inside]) => `${title}\n${inside.map((line) => `  ${line}`).join('\n')}`).join('\n\n')}\n`
}

function healthLines({ service, outage, hosts, stream, keychain, journal }: Health): readonly string[] {
  return [
    `service: ${service}${outage === null ? '' : `, outage: ${outage.how}`}`,
    ...hosts.map(({ which, state, answering }) => `${which} host: ${state}${answering ? ', answering' : ''}`),
    `stream: ${stream?.state ?? 'none'}`,
    `keychain: ${keychain}`,
    `journal: ${journal}`,
  ]
}

interface ReadProfiles {
  readonly lines: readonly string[]
  /** Names, labels, hosts and addresses that the bundle must not show. */
  readonly words: readonly string[]
  readonly secrets: readonly Secret[]
}

async function readProfiles({ store, workspace, folders, keychains, clock, ownNames, home }: SupportParts): Promise<ReadProfiles> {
  const open = await workspace()
  const lines: string[] = []
  const words = new Set<string>([...ownNames, home])
  const secrets: Secret[] = []
  const look = async (journal: SupportJournal, id: string, title: string) => {
    const { intents, secretOperations, rows } = journal.counts()
    lines.push(`${title}: journal ${journal.state()}${journal.trouble() === null ? '' : ` (${journal.trouble()})`}`)
    lines.push(`  orders: ${counted(intents)}`, `  key operations: ${counted(secretOperations)}`, `  rows: ${counted(rows)}`)
    for (const word of privateWords(journal.portable())) words.add(word)
    const keychain = keychains[id === practiceId ? 'practice' : 'live']
    for (const { account, keyId, label, wallet } of [...journal.secretIndex.list(id), ...journal.webhookIndex.list(id)]) {
      for (const word of [keyId, label, wallet]) words.add(word)
      const found = await keychain.get(account)
      if (found.ok && found.value !== null) secrets.push(found.value)
    }
  }
  const all: readonly (Pick<StoredProfile, 'id'> & Partial<StoredProfile>)[] = [{ id: practiceId }, ...store.list()]
  for (const [number, { id, name, hostUrl, secondHostUrl, rpcHost }] of all.entries()) {
    for (const word of [name, hostUrl, secondHostUrl, rpcHost]) if (word != null) words.add(word)
    const title = `${id === practiceId ? 'practice' : `exchange ${number}`}${id === store.activeId() ? ', selected' : ''}`
    if (open?.profileId === id) await look(open.journal, id, `${title}, open`)
    else if (existsSync(folders.profileJournal(id))) {
      const journal = openOther(folders.profileJournal(id), clock)
      if (journal === null) lines.push(`${title}: journal in use`)
      else await look(journal, id, title).finally(journal.close)
    } else lines.push(`${title}: no journal`)
  }
  return { lines, words: [...words], secrets }
}

function openOther(file: string, clock: Clock): SqliteJournal | null {
  try {
    return openJournal({ file, clock })
  } catch (error) {
    if (error instanceof ExpectedFailure) return null
    throw error
  }
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none'

/** Names of journal columns and fields whose text comes from the user, the service or another program. */
const privateNames = /^(wallet|label|sentLabel|key_?id|name|note|text|purpose|host|url|hostUrl|webhookUrl|address|agent|executor|ip|owner|where|folder)$/i

/** The texts in a journal that may identify the user, a key or a host. */
function privateWords({ tables }: ReturnType<SupportJournal['portable']>): ReadonlySet<string> {
  const words = new Set<string>()
  const visit = (value: unknown, name: string, depth: number): void => {
    if (typeof value === 'string' && privateNames.test(name)) words.add(value)
    if (typeof value !== 'object' || value === null || depth > 12) return
    for (const [key, inner] of Object.entries(value)) visit(inner, Array.isArray(value) ? name : key, depth + 1)
  }
  for (const [table, rows] of Object.entries(tables))
    for (const row of rows) {
      if (table !== 'values') {
        for (const [column, value] of Object.entries(row)) visit(value, column, 0)
        continue
      }
      const text = String(row.value)
      try {
        visit(JSON.parse(text), '', 0)
      } catch {
        // This record is an ID or an address in plain text, not JSON.
        words.add(text)
      }
    }
  return words
}

/** The newest lines of the log. Keeps the time, codes and error message of each entry, and removes everything that may be private. */
function logLines(file: string, hide: (text: string) => string): readonly string[] {
  const written = [`${file}.old`, file].flatMap((path) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []))
  const lines = written.filter((line) => line !== '').slice(-mostLines)
  return lines.length === 0 ? ['empty'] : lines.map((line) => logLine(line, hide))
}

function logLine(line: string, hide: (text: string) => string): string {
  const clean = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return name === 'at' && /^[\d-]+T[\d:.]+Z$/.test(value) ? value : hide(value)
    if (Array.isArray(value)) return value.map((inner) => clean(inner, ''))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [hide(key), clean(inner, key)]))
  }
  try {
    return JSON.stringify(clean(JSON.parse(line), ''))
  } catch {
    return '[a line that is not JSON]'
  }
}

/** Names with dots that are not private: the names of the app’s own calls. */
const ownDotted: ReadonlySet<string> = new Set(Object.keys(contract))
const ownFile = /\.(?:js|mjs|cjs|ts|tsx|node|json|db|log|html|css)$/

/** Patterns of texts that may identify a person, a computer or an account, each with its replacement. */
const patterns: readonly (readonly [RegExp, (found: string) => string])[] = [
  [
    /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)]+/gi,
    (url) => (/^(?:app|file|node):/i.test(url) ? `[app]/${basename(url)}` : `${url.slice(0, url.indexOf(':'))}://[host]`),
  ],
  [/[^\s"'<>()@]+@[^\s"'<>()@]+\.[^\s"'<>()@]+/g, () => '[address]'],
  [/(?:[A-Za-z]:)?(?:[\\/][^\s\\/:*?"<>|()]+){2,}/g, (path) => `[path]/${path.split(/[\\/]/).at(-1)}`],
  [/0[xX][0-9a-fA-F]{6,}|(?<![0-9a-zA-Z])[0-9a-fA-F]{12,}(?![0-9a-zA-Z])/g, () => '[hex]'],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\d.])/g, () => '[ip]'],
  [/(?<![0-9a-fA-F:])(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{0,4}/g, () => '[ip]'],
  [/["“'‘«「][^"”'’»」\n]{1,400}["”'’»」]/g, () => '“…”'],
  [/(?<![\w.-])[\w-]+(?:\.[\w-]+)+/g, (name) => (ownDotted.has(name) || ownFile.test(name) || /^[\d.]+$/.test(name) ? name : '[name]')],
]

/**
 * Returns a function that makes a text safe to share. It removes secrets, known private words, and everything that looks like an address, a host, a
 * path or quoted text.
 */
function createHide({ words, secrets }: { readonly words: readonly string[]; readonly secrets: readonly Secret[] }): (text: string) => string {
  const forms = secrets.flatMap(secretForms)
  // A short word may also be part of an ordinary word, so remove it only where it is a whole word.
  const known = [...new Set(words.flatMap((word) => [word, word.replace(/^[a-z]+:\/\//i, '')]))]
    .filter((word) => word.length >= 2)
    .sort((a, b) => b.length - a.length)
    .map((word) => {
      const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return word.length < 6 ? `(?<![\\p{L}\\d])${literal}(?![\\p{L}\\d])` : literal
    })
  const knownWords = known.length === 0 ? null : new RegExp(known.join('|'), 'giu')
  return (text) => {
    const mask = createMask(forms)
    const masked = forms.length === 0 ? text : Buffer.concat([mask.push(Buffer.from(text)), mask.end()]).toString()
    const plain = redactText(masked)
    const hidden = knownWords === null ? plain : plain.replace(knownWords, '[private]')
    return patterns.reduce((before, [pattern, as]) => before.replace(pattern, as), hidden)
  }
}
