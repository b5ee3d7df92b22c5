import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { OwnIntent } from './from-transactions.ts'
import type { Reading } from './history-reading.ts'
import { takenBackOf } from './taken-back.ts'

const mostIntents = 1_000

/** What the journal has of a wallet: its newest intents, and of those that something happened to since then how they came to stand. */
export function ownIntents(journal: Pick<Journal, 'intents' | 'transactions'>, of: { readonly profileId: string; readonly wallet: string }, sinceMs: number) {
  const { intents } = journal.intents.list(of.profileId, { wallet: of.wallet, beforeMs: null, limit: mostIntents })
  const own = intents
    .filter(({ updatedAtMs }) => updatedAtMs >= sinceMs)
    .map((intent): OwnIntent => {
      const transactions = journal.transactions.of(intent.ref)
      const steps = journal.intents.timeline(intent.ref)
      return {
        ...{ intent, transactions, takenBack: takenBackOf(intent, steps, transactions) },
        sinceMs: steps.findLast(({ state }) => state === intent.state)?.atMs ?? intent.updatedAtMs,
      }
    })
  return { intents, own }
}

/** Words of the service for what no block holds, or not for long enough. */
const isNotFinal = /pending|submit|expire|drop/i

/** Those that are final by the journal, and were so before the service listed them as not: a reorganisation took them back since the app last looked. */
export function overtakenByList(own: readonly OwnIntent[], { rows, askedMs }: Pick<Reading, 'rows' | 'askedMs'>): string[] {
  const notFinal = rows.transactions.filter(({ state }) => isNotFinal.test(state ?? ''))
  const names = new Set(notFinal.flatMap(({ intentId, txHash }) => [intentId ?? [], txHash ?? []].flat().map((name) => name.toLowerCase())))
  const isListed = ({ intentId, txHash }: IntentRow) => [intentId, txHash].some((name) => name !== null && names.has(name.toLowerCase()))
  return own
    .filter(({ intent, sinceMs }) => (intent.state === 'FINAL' || intent.state === 'REVERTED') && sinceMs < askedMs && isListed(intent))
    .map(({ intent }) => intent.ref)
}

/** This app's own intent behind a row of the service. */
export function intentsBy(intents: readonly IntentRow[]) {
  const by = (name: 'txHash' | 'clientOrderId') => new Map(intents.flatMap((one) => (one[name] === null ? [] : [[one[name].toLowerCase(), one] as const])))
  const [byHash, byClientId] = [by('txHash'), by('clientOrderId')]
  return ({ txHash, clientOrderId }: HistoryRow) => byHash.get(txHash?.toLowerCase() ?? '') ?? byClientId.get(clientOrderId?.toLowerCase() ?? '') ?? null
}
