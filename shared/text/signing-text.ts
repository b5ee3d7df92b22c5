import { limits } from '../api/limits.ts'
import { formatDecimal, fromUnits } from '../decimal.ts'
import type { ChallengeProblem, Check, Spending } from '../ipc/intents/signing.ts'
import type { PreparedPayment } from '../ipc/keys/agents.ts'
import type { KeyDraft } from '../ipc/keys/keys.ts'
import { clockText, dateText, durationText, shortAddress } from '../signing/wording.ts'

/** What is wrong with a sign-in message, in a sentence. */
export function challengeProblemText(problem: ChallengeProblem): string {
  switch (problem.code) {
    case 'other_host':
      return `The message is from the host ${problem.host}. This profile is for ${problem.expected}.`
    case 'answered_for_another':
      return `The service answered for the wallet ${problem.wallet}. Yours is ${problem.expected}.`
    case 'other_wallet':
      return `The message names the wallet ${problem.wallet}. Yours is ${problem.expected}.`
    case 'other_network':
      return `The message is for another network: ${problem.network}. It must be Base, ${limits.chainId}.`
    case 'other_chain':
      return `The message is for another network: chain ${problem.chainId}. It must be Base, ${limits.chainId}.`
    case 'nonce_seen':
      return `The message carries a nonce that came with an earlier sign-in: ${problem.nonce}.`
    case 'other_nonce':
      return `The message carries the nonce ${problem.nonce}. The answer says ${problem.expected}.`
    case 'no_time':
      return `The message gives no readable expiry: ${problem.text}.`
    case 'over':
      return `The message expired at ${time(problem.atMs)}.`
    case 'too_far_off':
      return `The message is valid for ${durationText(problem.forMs)}. A challenge lives 5 min.`
    case 'other_expiry':
      return `The message expires at ${time(problem.atMs)}. The answer says ${time(problem.expectedMs)}.`
    case 'hidden_character':
      return `The message holds a hidden character, ${problem.name}.`
    case 'link_elsewhere':
      return `The message names another host: ${problem.link}.`
    case 'transaction':
      return `The message reads like a transaction: ${problem.call}.`
    case 'hex_text':
      return 'The message is hex data and not text.'
    case 'hex_data':
      return 'The message holds hex data that could be a transaction.'
    case 'too_long':
      return 'The message is longer than a sign-in needs, so that a part of it may go unread.'
  }
}

/** Why a message is blocked, or what it does not say; null: nothing is to be said. */
export function challengeSentence({
  problem,
  verdict,
  checks,
}: {
  readonly problem: ChallengeProblem | null
  readonly verdict: string
  readonly checks: readonly Check[]
}): string | null {
  if (problem !== null) return challengeProblemText(problem)
  const missing = checks.filter((check) => check.verdict === 'missing').map(({ id }) => id)
  return verdict === 'confirm' ? `The message does not name its ${missing.join(', ')}.` : null
}

const time = (atMs: number): string => clockText(atMs) ?? 'never'

const names: Readonly<Record<Check['id'], { readonly label: string; readonly note: string }>> = {
  host: { label: 'Host', note: 'The one pinned in this profile' },
  wallet: { label: 'Wallet', note: 'The one that is connected, all 40 digits' },
  network: { label: 'Network', note: 'The chain that the wallet is on' },
  nonce: { label: 'Nonce', note: 'As in the answer, not seen before' },
  expiry: { label: 'Expiry', note: 'Within the 5 minutes that a challenge lives' },
  rest: { label: 'Nothing else', note: 'No hidden characters, no link, no transaction' },
}

/** What stood in the message. null: nothing. */
function valueText({ found }: Check): string | null {
  switch (found.code) {
    case 'missing':
      return null
    case 'host':
    case 'other_host':
      return found.host
    case 'wallet':
      return shortAddress(found.wallet)
    case 'answered_for_another':
    case 'other_wallet':
      return found.wallet
    case 'network':
      return `Base, ${limits.chainId}`
    case 'other_network':
      return found.network
    case 'other_chain':
      return `chain ${found.chainId}`
    case 'nonce':
    case 'nonce_seen':
      return found.nonce.length > 12 ? `${found.nonce.slice(0, 4)}…${found.nonce.slice(-4)}` : found.nonce
    case 'other_nonce':
      return found.nonce
    case 'expiry':
      return `in ${durationText(found.leftMs)}`
    case 'no_time':
      return found.text
    case 'over':
      return `${time(found.atMs)}, over`
    case 'too_far_off':
    case 'other_expiry':
      return time(found.atMs)
    case 'nothing_else':
      return `${found.lines} ${found.lines === 1 ? 'line' : 'lines'}`
    case 'hidden_character':
      return 'Hidden characters'
    case 'link_elsewhere':
      return found.link
    case 'transaction':
      return 'A transaction'
    case 'hex_text':
    case 'hex_data':
      return 'Hex data'
    case 'too_long':
      return 'Too long'
  }
}

const wrongNotes: Readonly<Record<ChallengeProblem['code'], string>> = {
  other_host: 'Not the host of this profile',
  answered_for_another: 'The answer is for another wallet',
  other_wallet: 'Not the wallet that is connected',
  other_network: 'Not Base',
  other_chain: 'Not Base',
  nonce_seen: 'Came with an earlier challenge',
  other_nonce: 'Not the one of the answer',
  no_time: 'Not a time',
  over: 'Over already',
  too_far_off: 'Further off than a challenge lives',
  other_expiry: 'Not the one of the answer',
  hidden_character: 'Something that a sign-in does not need',
  link_elsewhere: 'Something that a sign-in does not need',
  transaction: 'Something that a sign-in does not need',
  hex_text: 'Something that a sign-in does not need',
  hex_data: 'Something that a sign-in does not need',
  too_long: 'Something that a sign-in does not need',
}

const isProblem = (found: Check['found']): found is ChallengeProblem => Object.hasOwn(wrongNotes, found.code)

/** One check as it is shown. */
export function checkText(check: Check): { readonly label: string; readonly value: string | null; readonly note: string } {
  const { label, note } = names[check.id]
  const said = isProblem(check.found) ? wrongNotes[check.found.code] : check.verdict === 'missing' ? `The message does not name the ${check.id}` : note
  return { label, value: valueText(check), note: said }
}

const amountText = (amount: string): string => formatDecimal(amount, { minDecimals: 2 })

/** How much of which token a right is for: "any amount of USDC", "100.50 USDC". */
const mostText = ({ token, amount }: Pick<Spending, 'token' | 'amount'>): string => {
  if (amount === null) return `any amount of ${token ?? 'the protocol’s own token'}`
  return `up to ${amountText(amount)} ${token ?? 'of the protocol’s own token'}`
}

/** What a right to take tokens comes to, in a sentence. */
export function spendingText(spending: Spending): string {
  const until = spending.untilMs === null ? null : clockText(spending.untilMs)
  const end = until === null ? 'at any time, until it is used or taken back' : `until ${until}`
  return `This lets ${shortAddress(spending.spender)} take ${mostText(spending)} from your wallet, ${end}.`
}

/** The same in a title; a whole sentence. */
export const spendingTitle = ({ token, amount }: Spending): string =>
  amount === null
    ? `It gives a right to all your ${token ?? 'tokens of the protocol'}.`
    : `It gives a right to ${amountText(amount)} ${token ?? 'of the protocol’s own token'}, and no more.`

/** What the transaction of a payment does, in a sentence, or two where it gives a right to take USDC; null: its call is not known. */
export function paymentCallText({ call, target, spending }: Pick<PreparedPayment, 'call' | 'target' | 'spending'>): string | null {
  if (call === null) return null
  if (spending !== null) {
    const most = spending.amountUsdc === null ? 'any amount of' : amountText(spending.amountUsdc)
    return `Lets ${shortAddress(spending.spender)} take up to ${most} USDC from your wallet, at any time, until it is used or taken back. This gives a spending right: the contract may take this amount later without asking you again. Managing a key never gives it by itself.`
  }
  const units = call.arguments.find(({ name }) => name === 'amount')?.value ?? '0'
  // USDC counts in millionths.
  return `Puts ${amountText(fromUnits(BigInt(units), 6))} USDC into your collateral at ${shortAddress(target.address)}.`
}

type Grant = KeyDraft['grant']

const trading = ['Open, close and invert positions', 'Set and clear TP and SL', 'Cancel and replace orders']
const withheld = ['Approve or transfer tokens', 'Make keys or give this on']

const powers: Readonly<Record<NonNullable<Grant['gives']>, { readonly may: readonly string[]; readonly mayNot: readonly string[] }>> = {
  trading: { may: trading, mayNot: ['Withdraw or move your collateral', ...withheld] },
  trading_and_collateral: { may: [...trading, 'Deposit and withdraw your collateral'], mayNot: withheld },
}
const unlimited = { may: ['Whatever the contract lets an agent do: the grant names no limit that this app knows'], mayNot: [] }

/** A grant in words: who may do what, for whom, on which contract, until when. */
export function grantText({ gives, agent, agentKnown, wallet, contract, expiresAtMs }: Grant) {
  const known = agentKnown ? 'the trading agent of this key' : 'a new trading agent'
  const who = agent === null ? 'a trading agent' : `${known} ${shortAddress(agent)}`
  const until = expiresAtMs === null ? null : dateText(expiresAtMs)
  const where = contract === null ? '' : `, only on the exchange router ${shortAddress(contract)}`
  return {
    sentence: `You let ${who} act for ${shortAddress(wallet)} on Base${where} and ${until === null ? 'without an end' : `only until ${until}`}.`,
    ...(gives === null ? unlimited : powers[gives]),
  }
}
