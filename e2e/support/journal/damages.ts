import { closeSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IntentRow } from '../../../electron/store/journal/journal.ts'
import { openJournal, type SqliteJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import { raw } from '../../../electron/store/records/raw.ts'
import { systemClock } from '../../../shared/time.ts'
import { anIntent } from './an-intent.ts'

export interface Outcome {
  readonly damage: string
  /** The journal’s state after opening. `threw`: opening or reading the journal failed. */
  readonly state: 'ready' | 'rebuilt' | 'memory_only' | 'threw'
  /** Number of entries that the journal had confirmed as stored and that are now missing or changed. */
  readonly missing: number
  /** A description of what the journal did wrong; null if it did nothing wrong. */
  readonly fault: string | null
}

const suffixes = ['', '-wal', '.mark'] as const
const intentCount = 60

export interface DamageBench {
  /** Damages a copy of a journal at random (by seed), as a power failure might, then opens and uses that journal. */
  run(seed: number): Outcome
  remove(): void
}

export function createDamageBench(): DamageBench {
  const home = mkdtempSync(join(tmpdir(), 'svc-desk-damage-'))
  const acknowledged = {
    planned: writeJournal(home, 'planned', 'PREPARED'),
    sent: writeJournal(home, 'sent', 'SENT'),
    closed: writeJournal(home, 'closed', 'SENT'),
  }
  return {
    run(seed) {
      const name = seed % 4 === 3 ? 'closed' : seed % 2 === 0 ? 'planned' : 'sent'
      const folder = join(home, `try-${seed}`)
      mkdirSync(folder)
      try {
        const file = join(folder, 'journal.db')
        copyFiles(join(home, `${name}-new`), file)
        // Closing the copy notes in its mark file that it is whole. If it stays unchanged, the app then opens it without a full check.
        if (name === 'closed') openJournal({ file, clock: systemClock }).close()
        const damage = damageFiles(file, join(home, `${name}-old`), createDice(seed))
        return { damage, ...judge(file, acknowledged[name]) }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  }
}

const factsOf = (row: IntentRow): string => JSON.stringify([row.ref, row.state, row.idempotencyKey])

function copyFiles(from: string, to: string): void {
  for (const suffix of suffixes) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix)
}

/**
 * Writes a journal. Copies its files twice: halfway and at the end. The journal `closed` is large, and is closed for each copy; the others stay open.
 * Returns the entries that the journal had confirmed at the end.
 */
function writeJournal(home: string, name: 'planned' | 'sent' | 'closed', last: 'PREPARED' | 'SENT'): string[] {
  const file = join(home, name)
  let journal = openJournal({ file, clock: systemClock })
  if (name === 'closed') journal[raw].values.set('filler', 'x'.repeat(1_200_000))
  const keep = (when: string) => {
    if (name === 'closed') journal.close()
    copyFiles(file, `${file}-${when}`)
    if (name === 'closed') journal = openJournal({ file, clock: systemClock })
  }
  const rows: IntentRow[] = []
  for (let count = 0; count < intentCount; count += 1) {
    const ref = `${name}-${count}`
    journal.intents.plan(anIntent(ref))
    let row = journal.intents.move(ref, 'PREPARED', { intentId: `dx_${count}`, prepared: 'x'.repeat(count * 20) })
    if (last === 'SENT' && count % 3 === 0) {
      journal.intents.move(ref, 'ASKED')
      journal.intents.move(ref, 'SIGNED')
      row = journal.intents.move(ref, 'SENT')
    }
    rows.push(row)
    if (count === intentCount / 2) keep('old')
  }
  keep('new')
  journal.close()
  return rows.map(factsOf)
}

type Dice = (below: number) => number

function createDice(seed: number): Dice {
  let state = (seed * 2_654_435_761) >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const kinds = ['flip', 'flip', 'truncate', 'zero', 'missing', 'old', 'header', 'wal header'] as const
function damageFiles(file: string, old: string, dice: Dice): string {
  const kind = kinds[dice(kinds.length)] ?? 'flip'
  if (kind === 'old') return takeOld(file, old, dice)
  if (kind === 'header') return change(file, dice(100), 1 + dice(4), () => dice(256), 'header')
  // A journal that was closed has no write-ahead log.
  const present = suffixes.filter((suffix) => existsSync(file + suffix))
  if (kind === 'wal header' && !present.includes('-wal')) copyFileSync(`${file}.mark`, `${file}-wal`)
  if (kind === 'wal header') return change(`${file}-wal`, dice(56), 1 + dice(4), () => dice(256), 'wal header')
  const suffix = present[dice(present.length)] ?? ''
  const target = file + suffix
  const size = readFileSync(target).length
  const what = `${kind} ${suffix}`
  switch (kind) {
    case 'flip': {
      const at = dice(size)
      const bit = 1 << dice(8)
      return change(target, at, 1, (byte) => byte ^ bit, what)
    }
    case 'zero':
      return change(target, dice(size), 1 + dice(8_192), () => 0, what)
    case 'truncate':
      truncateSync(target, dice(size))
      return what
    case 'missing':
      rmSync(target)
      return what
  }
}

const earlier = [[''], ['-wal'], ['', '-wal'], ['.mark']] as const

/**
 * Restores an earlier copy of either the database or its `.mark` file, but not of both: a profile that is completely old cannot be distinguished from
 * one that was never used since.
 */
function takeOld(file: string, old: string, dice: Dice): string {
  const possible = earlier.filter((taken) => taken.every((suffix) => existsSync(old + suffix)))
  const taken = possible[dice(possible.length)] ?? ['']
  for (const suffix of taken) copyFileSync(old + suffix, file + suffix)
  return `old ${taken.join(' and ')}`
}

function change(file: string, at: number, length: number, to: (byte: number) => number, what: string): string {
  const bytes = readFileSync(file)
  const part = bytes.subarray(at, at + length)
  for (const [index, byte] of part.entries()) part[index] = to(byte)
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, part, 0, part.length, at)
  closeSync(descriptor)
  return what
}

function judge(file: string, acknowledged: readonly string[]): Omit<Outcome, 'damage'> {
  let journal: SqliteJournal | null = null
  try {
    journal = openJournal({ file, clock: systemClock })
    const state = journal.state()
    const there = new Set(journal.intents.list('practice', { wallet: null, beforeMs: null, limit: 1_000 }).intents.map(factsOf))
    const open = new Set(journal.intents.open('practice').map(factsOf))
    if (open.size !== there.size) throw new Error('The open intents are not those that are listed')
    for (const fact of there) journal.intents.timeline(String(JSON.parse(fact)[0]))
    const missing = acknowledged.filter((fact) => !there.has(fact)).length
    const fault = exitFault(journal) ?? (missing > 0 && (state === 'ready' || journal.takesNewRisk()) ? `takes new risk with ${missing} entries missing` : null)
    journal.close()
    return { state, missing, fault: fault ?? secondFault(file, state, missing) }
  } catch (error) {
    journal?.close()
    return { state: 'threw', missing: acknowledged.length, fault: String(error) }
  }
}

/** Tries an order close, a cancellation, a revocation and the kill switch in the journal. Returns a description of what failed. */
function exitFault(journal: SqliteJournal): string | null {
  for (const action of ['close_position', 'cancel_order']) {
    journal.intents.plan(anIntent(`exit-${action}`, { action }))
    for (const state of ['PREPARED', 'ASKED', 'SIGNED', 'SENT', 'FINAL'] as const) journal.intents.move(`exit-${action}`, state)
    if (journal.intents.get(`exit-${action}`)?.state !== 'FINAL') return `${action} is not there`
  }
  for (const kind of ['revoke', 'webhook_disable'] as const) {
    const plan = { profileId: 'practice', wallet: '0xaa', label: 'bot', keyId: 'k1', keyIdsBefore: ['k1'], marker: 'm', draft: null }
    journal.secretOperations.plan({ ...plan, id: `exit-${kind}`, kind })
    journal.secretOperations.move(`exit-${kind}`, 'SENT')
    journal.secretOperations.move(`exit-${kind}`, 'VERIFIED')
    if (journal.secretOperations.get(`exit-${kind}`)?.state !== 'VERIFIED') return `${kind} is not there`
  }
  journal[raw].values.set('panic.practice', '{"state":"running"}')
  return journal[raw].values.get('panic.practice') === null ? 'the kill switch is not there' : null
}

/**
 * Opens a journal with lost entries a second time. The journal must refuse new risk again, because the user has not accepted the loss yet. Returns
 * the fault; null if there is none.
 */
function secondFault(file: string, state: Outcome['state'], missing: number): string | null {
  if (state !== 'rebuilt' || missing === 0 || !existsSync(file)) return null
  const again = openJournal({ file, clock: systemClock })
  try {
    return again.takesNewRisk() ? 'takes new risk at the next start' : null
  } finally {
    again.close()
  }
}
