import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeKey, openPhone, pair, paired, signedIn, signIn } from '../../pages/ready.ts'
import { openDesk } from '../desk.ts'
import { practiceEntries, replacePracticeEntries } from '../keyring.ts'
import type { OldEntry } from '../old-folder.ts'
import { startPractice } from '../practice.ts'

/** What the user has done before a test begins. `new`: nothing; the app has not run yet. */
export type Start = 'new' | 'paired' | 'signed-in' | 'with-key'

/** The label of the bot-ready key that the start `with-key` has. */
export const firstKey = 'first-key'

/** The app and its practice exchange after both have closed. Tests begin with a copy. */
interface StoredStart {
  /** The app’s data folder, with Chromium’s profile, in which the page keeps its wallet connection. */
  readonly profile: string
  /** The practice exchange’s data folder, with its chain, its wallet’s keys and the phone’s wallet connection. */
  readonly practice: string
  readonly keychain: readonly OldEntry[]
}

export interface StoredStarts {
  /** The data folder of the practice exchange for this start; null for a new one. Makes the start if it does not exist yet. */
  practiceData(start: Start): Promise<string | null>
  /** Copies the app’s data folder for this start, and puts the start’s entries into the keychain. */
  prepare(start: Start, profileDir: string): Promise<void>
  remove(): void
}

type Stored = Exclude<Start, 'new'>

/** For each start: the start that it continues, and what the user then does. */
const steps: Readonly<Record<Stored, { readonly from: Start; readonly act: (desk: Awaited<ReturnType<typeof openDesk>>) => Promise<unknown> }>> = {
  paired: { from: 'new', act: pair },
  'signed-in': {
    from: 'paired',
    act: async (desk) => {
      await paired(desk)
      await signIn(desk.main, await openPhone(desk))
    },
  },
  'with-key': {
    from: 'signed-in',
    act: async (desk) => {
      await signedIn(desk)
      await makeKey(desk.main, await openPhone(desk), firstKey)
    },
  },
}

/**
 * Stores starts of the app under test. Each is made once in a worker, when a test first needs it, by really doing what the user would do. A test that
 * proves what happens on the way, such as pairing or where a new secret appears, must begin with `new`.
 */
export function storedStarts(): StoredStarts {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-starts-'))
  /** Entries that this run did not make. Only on Linux, tests have a keychain of their own. */
  const own = practiceEntries()
  const made = new Map<Stored, Promise<StoredStart>>()

  const stored = (start: Stored): Promise<StoredStart> => {
    const known = made.get(start) ?? make(start)
    made.set(start, known)
    return known
  }

  async function make(start: Stored): Promise<StoredStart> {
    const { from, act } = steps[start]
    const [profile, data] = [join(folder, start, 'profile'), join(folder, start, 'practice')]
    for (const dir of [profile, data]) mkdirSync(dir, { recursive: true })
    const practice = await startPractice({ data: await practiceData(from) })
    try {
      replacePracticeEntries(own, [])
      await prepare(from, profile)
      const desk = await openDesk({ profileDir: profile, variant: 'hooks', descriptorFile: practice.descriptorFile })
      await act(desk).finally(() => desk.close())
    } finally {
      await practice.stop(data)
    }
    return { profile, practice: data, keychain: practiceEntries() }
  }

  const practiceData = async (start: Start) => (start === 'new' ? null : (await stored(start)).practice)

  async function prepare(start: Start, profileDir: string): Promise<void> {
    if (start === 'new') return
    const { profile, keychain } = await stored(start)
    cpSync(profile, profileDir, { recursive: true })
    replacePracticeEntries(own, keychain)
  }

  return { practiceData, prepare, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) }
}
