import { z } from 'zod'
import { TerminalGrant, type TerminalRequest } from '../../shared/ipc/secrets.ts'
import type { Clock } from '../../shared/time.ts'
import type { Values } from '../journal/journal.ts'

/** A grant with what it must be equal to besides what is shown. */
const StoredGrant = TerminalGrant.extend({ program: z.string().nullable() })
type StoredGrant = z.infer<typeof StoredGrant>

/** What the user allowed once and for all: one key, for one command. */
export interface Grants {
  list(): TerminalGrant[]
  /** The grant for exactly this, noted as used now; null where there is none. */
  use(request: TerminalRequest): TerminalGrant | null
  add(request: TerminalRequest): void
  /** False where there is none of this id. */
  remove(id: string): boolean
}

const prefix = 'terminal/grant/'

export function createGrants({ values, clock, newId }: { readonly values: Values; readonly clock: Clock; readonly newId: () => string }): Grants {
  const stored = (): StoredGrant[] =>
    values
      .withPrefix(prefix)
      .flatMap(({ value }) => {
        const read = StoredGrant.safeParse(JSON.parse(value))
        // Written by another version: what cannot be understood allows nothing.
        return read.success ? [read.data] : []
      })
      .sort((a, b) => a.atMs - b.atMs)
  const save = (grant: StoredGrant) => values.set(`${prefix}${grant.id}`, JSON.stringify(grant))

  return {
    list: () => stored().map(({ program: _, ...grant }) => grant),
    use(request) {
      const found = stored().find((grant) => isSame(grant, request))
      if (found === undefined) return null
      save({ ...found, lastUsedAtMs: clock.now() })
      return found
    },
    add({ kind, profile: { id, name }, key, webhook, words, program, folder }) {
      const given = {
        key: key === null ? null : { id: key.id, label: key.label },
        webhook: webhook === null ? null : { id: webhook.id, url: webhook.url },
      }
      save({ id: newId(), kind, profile: { id, name }, ...given, words, program, folder, atMs: clock.now(), lastUsedAtMs: null })
    },
    remove(id) {
      if (values.get(`${prefix}${id}`) === null) return false
      values.set(`${prefix}${id}`, null)
      return true
    },
  }
}

/** Every word, the program's own file and the folder: a script of the same name elsewhere is another command. */
const isSame = (grant: StoredGrant, { kind, profile, key, webhook, words, program, folder }: TerminalRequest): boolean =>
  grant.kind === kind &&
  grant.profile.id === profile.id &&
  grant.key?.id === key?.id &&
  grant.webhook?.id === webhook?.id &&
  grant.program === program &&
  (kind !== 'run' || grant.folder === folder) &&
  grant.words.length === words.length &&
  grant.words.every((word, index) => word === words[index])
