import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { Markets } from '../markets/markets.ts'
import type { Subject } from './account-reader.ts'

export interface KnownRowsDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'intents'>
  readonly credentials: Pick<Credentials, 'facts'>
  readonly markets: Pick<Markets, 'known'>
}

/** A row with what this app knows besides the service's words. */
export type KnownRows = (subject: Subject) => (row: HistoryRow) => HistoryRow

/** Own intents that are looked through for the one behind a row. */
const mostIntents = 1_000

/** The market's name, the key's label and the own intent, with the side that it asked for. Rows of a watched wallet have no intent. */
export function createKnownRows({ profile, journal, credentials, markets }: KnownRowsDeps): KnownRows {
  return (subject) => {
    const { intents } =
      subject.watchedAs === null ? journal.intents.list(profile.id, { wallet: subject.wallet, beforeMs: null, limit: mostIntents }) : { intents: [] }
    const by = (name: 'intentId' | 'txHash' | 'clientOrderId') =>
      new Map(intents.flatMap((intent) => (intent[name] === null ? [] : [[String(intent[name]).toLowerCase(), intent] as const])))
    const [byId, byHash, byClientId] = [by('intentId'), by('txHash'), by('clientOrderId')]
    return (row) => {
      const own =
        byId.get(row.intentId?.toLowerCase() ?? '') ??
        byHash.get(row.txHash?.toLowerCase() ?? '') ??
        byClientId.get(row.clientOrderId?.toLowerCase() ?? '') ??
        null
      const pairId = row.pairId ?? own?.pairId ?? null
      return {
        ...row,
        pairId,
        symbol: row.symbol ?? own?.symbol ?? (pairId === null ? null : (markets.known(pairId)?.symbol ?? null)),
        side: row.side ?? own?.side ?? null,
        keyLabel: row.keyLabel === null ? null : (credentials.facts(row.keyLabel)?.label ?? row.keyLabel),
        intentRef: own?.ref ?? null,
      }
    }
  }
}
