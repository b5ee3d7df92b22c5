import { limits } from '../api/limits.ts'
import { formatDecimal, fromUnits } from '../decimal.ts'
import type { ChallengeProblem, Check, Spending } from '../ipc/intents/signing.ts'
import type { PreparedPayment } from '../ipc/keys/agents.ts'
import type { KeyDraft } from '../ipc/keys/keys.ts'
import { clockText, dateText, durationText, timeLeftText } from '../signing/wording.ts'
import { catalogue, plural } from './catalogue.ts'

/** Sentences about problems of a sign-in message, keyed by `ChallengeProblem`. */
export const challengeProblemWords = catalogue('challengeProblems', {
  other_host: (host: string, expected: string) => `The message is from the host ${host}. This profile is for ${expected}.`,
  answered_for_another: (wallet: string, expected: string) => `The service answered for the wallet ${wallet}. Yours is ${expected}.`,
  other_wallet: (wallet: string, expected: string) => `The message names the wallet ${wallet}. Yours is ${expected}.`,
  other_network: (network: string, base: number) => `The message is for another network: ${network}. It must be Base (chain ${base}).`,
  other_chain: (chain: string, base: number) => `The message is for another network: chain ${chain}. It must be Base (chain ${base}).`,
  nonce_seen: (nonce: string) => `The message contains a nonce from an earlier sign-in: ${nonce}.`,
  other_nonce: (nonce: string, expected: string) => `The message contains the nonce ${nonce}. The service’s response says ${expected}.`,
  no_time: (text: string) => `The message has no readable expiry: ${text}.`,
  over: (time: string) => `The message expired at ${time}.`,
  over_undated: 'The message expired at an unreadable time.',
  too_far_off: (duration: string) => `The message is valid for ${duration}. A sign-in message is valid for 5 min.`,
  other_expiry: (time: string, expected: string) => `The message expires at ${time}. The service’s response says ${expected}.`,
  hidden_character: (name: string) => `The message contains a hidden character, ${name}.`,
  link_elsewhere: (link: string) => `The message names another host: ${link}.`,
  transaction: (call: string) => `The message reads like a transaction: ${call}.`,
  hex_text: 'The message is hex data and not text.',
  hex_data: 'The message contains hex data that could be a transaction.',
  too_long: 'The message is longer than a sign-in needs, so you may miss a part of it.',
  missing: (names: string) => `Missing in the message: ${names}.`,
  never: 'never',
})

/** Names, results and explanations of the checks of a sign-in message. */
export const challengeCheckWords = catalogue('challengeChecks', {
  host: 'Host',
  wallet: 'Wallet',
  network: 'Network',
  nonce: 'Nonce',
  expiry: 'Expiry',
  rest: 'Nothing else',

  host_right: 'The host of this profile',
  wallet_right: 'The connected wallet, all 40 digits',
  network_right: 'The network of the wallet',
  nonce_right: 'As in the response, not seen before',
  expiry_right: 'Within the 5 minutes of a sign-in message',
  rest_right: 'No hidden characters, no link, no transaction',

  host_missing: 'The message does not name the host',
  wallet_missing: 'The message does not name the wallet',
  network_missing: 'The message does not name the network',
  nonce_missing: 'The message does not name the nonce',
  expiry_missing: 'The message does not name the expiry',
  rest_missing: 'The message does not name the rest',

  other_host: 'Not the host of this profile',
  answered_for_another: 'The response is for another wallet',
  other_wallet: 'Not the connected wallet',
  other_network: 'Not Base',
  other_chain: 'Not Base',
  nonce_seen: 'From an earlier sign-in message',
  other_nonce: 'Not the nonce in the response',
  no_time: 'Not a time',
  over: 'Already expired',
  too_far_off: 'Later than a sign-in message may expire',
  other_expiry: 'Not the expiry in the response',
  unneeded: 'Something that a sign-in does not need',

  base: (chainId: number) => `Base (${chainId})`,
  chain: (chainId: string) => `chain ${chainId}`,
  in_time: (duration: string) => `in ${duration}`,
  expired_at: (time: string) => `${time}, expired`,
  lines: (count: number) => plural(count, { one: `${count} line`, other: `${count} lines` }),
  hidden_characters: 'Hidden characters',
  a_transaction: 'A transaction',
  hex: 'Hex data',
  long: 'Too long',
})

/** Texts about allowances to take tokens from the wallet, and about payment transactions. */
export const spendingWords = catalogue('spending', {
  any_until: (spender: string, token: string, time: string) => `This lets ${spender} take any amount of ${token} from your wallet, until ${time}.`,
  any_endless: (spender: string, token: string) =>
    `This lets ${spender} take any amount of ${token} from your wallet, at any time. The right ends when it is used or revoked.`,
  up_to_until: (spender: string, amount: string, token: string, time: string) =>
    `This lets ${spender} take up to ${amount} ${token} from your wallet, until ${time}.`,
  up_to_endless: (spender: string, amount: string, token: string) =>
    `This lets ${spender} take up to ${amount} ${token} from your wallet, at any time. The right ends when it is used or revoked.`,
  any_own_until: (spender: string, time: string) => `This lets ${spender} take any amount of the protocol’s own token from your wallet, until ${time}.`,
  any_own_endless: (spender: string) =>
    `This lets ${spender} take any amount of the protocol’s own token from your wallet, at any time. The right ends when it is used or revoked.`,
  up_to_own_until: (spender: string, amount: string, time: string) =>
    `This lets ${spender} take up to ${amount} of the protocol’s own token from your wallet, until ${time}.`,
  up_to_own_endless: (spender: string, amount: string) =>
    `This lets ${spender} take up to ${amount} of the protocol’s own token from your wallet, at any time. The right ends when it is used or revoked.`,

  title_any: (token: string) => `This allows taking all your ${token} from your wallet.`,
  title_any_own: 'This allows taking all your protocol tokens from your wallet.',
  title_up_to: (amount: string, token: string) => `This allows taking ${amount} ${token} from your wallet, and no more.`,
  title_up_to_own: (amount: string) => `This allows taking ${amount} of the protocol’s own token from your wallet, and no more.`,

  payment_any: (spender: string) =>
    `Lets ${spender} take any amount of USDC from your wallet, at any time. This spending right ends when it is used or revoked. Until then, the contract may take USDC without asking you again. Managing a key never gives this right automatically.`,
  payment_up_to: (spender: string, amount: string) =>
    `Lets ${spender} take up to ${amount} USDC from your wallet, at any time. This spending right ends when it is used or revoked. Until then, the contract may take this amount without asking you again. Managing a key never gives this right automatically.`,
  payment_deposit: (amount: string, contract: string) => `Adds ${amount} USDC to your collateral at ${contract}.`,
})

/** Texts about the rights that a grant gives to an agent. */
export const grantWords = catalogue('grants', {
  some_agent: 'a trading agent',
  key_agent: (address: string) => `the trading agent of this key ${address}`,
  new_agent: (address: string) => `a new trading agent ${address}`,
  until: (agent: string, wallet: string, date: string) => `You let ${agent} act for ${wallet} on Base and only until ${date}.`,
  endless: (agent: string, wallet: string) => `You let ${agent} act for ${wallet} on Base and without an expiry date.`,
  until_at: (agent: string, wallet: string, router: string, date: string) =>
    `You let ${agent} act for ${wallet} on Base, only on the exchange router ${router} and only until ${date}.`,
  endless_at: (agent: string, wallet: string, router: string) =>
    `You let ${agent} act for ${wallet} on Base, only on the exchange router ${router} and without an expiry date.`,

  may_trade: 'Open, close and invert positions',
  may_exit: 'Set and clear TP and SL',
  may_cancel: 'Cancel and replace orders',
  may_move: 'Deposit and withdraw your collateral',
  may_anything: 'Anything that the contract lets an agent do: the grant names no limit that this app knows',
  not_move: 'Withdraw or move your collateral',
  not_transfer: 'Approve or transfer tokens',
  not_pass_on: 'Create keys or pass this grant on',
})

const time = (atMs: number): string => clockText(atMs) ?? challengeProblemWords.never

export function challengeProblemText(problem: ChallengeProblem): string {
  const words = challengeProblemWords
  switch (problem.code) {
    case 'other_host':
      return words.other_host(problem.host, problem.expected)
    case 'answered_for_another':
    case 'other_wallet':
      return words[problem.code](problem.wallet, problem.expected)
    case 'other_network':
      return words.other_network(problem.network, limits.chainId)
    case 'other_chain':
      return words.other_chain(String(problem.chainId), limits.chainId)
    case 'nonce_seen':
      return words.nonce_seen(problem.nonce)
    case 'other_nonce':
      return words.other_nonce(problem.nonce, problem.expected)
    case 'no_time':
      return words.no_time(problem.text)
    case 'over': {
      const at = clockText(problem.atMs)
      return at === null ? words.over_undated : words.over(at)
    }
    case 'too_far_off':
      return words.too_far_off(durationText(problem.forMs))
    case 'other_expiry':
      return words.other_expiry(time(problem.atMs), time(problem.expectedMs))
    case 'hidden_character':
      return words.hidden_character(problem.name)
    case 'link_elsewhere':
      return words.link_elsewhere(problem.link)
    case 'transaction':
      return words.transaction(problem.call)
    default:
      return words[problem.code]
  }
}

/** Explains why a sign-in message is blocked, or which values it lacks; null if neither applies. */
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
  const missing = checks.filter((check) => check.verdict === 'missing').map(({ id }) => challengeCheckWords[id])
  return verdict === 'confirm' ? challengeProblemWords.missing(missing.join(', ')) : null
}

function valueText({ found }: Check): string | null {
  const words = challengeCheckWords
  switch (found.code) {
    case 'missing':
      return null
    case 'host':
    case 'other_host':
      return found.host
    case 'wallet':
    case 'answered_for_another':
    case 'other_wallet':
      return found.wallet
    case 'network':
      return words.base(limits.chainId)
    case 'other_network':
      return found.network
    case 'other_chain':
      return words.chain(String(found.chainId))
    case 'nonce':
    case 'nonce_seen':
    case 'other_nonce':
      return found.nonce
    case 'expiry':
      return words.in_time(timeLeftText(found.leftMs))
    case 'no_time':
      return found.text
    case 'over':
      return words.expired_at(time(found.atMs))
    case 'too_far_off':
    case 'other_expiry':
      return time(found.atMs)
    case 'nothing_else':
      return words.lines(found.lines)
    case 'hidden_character':
      return words.hidden_characters
    case 'link_elsewhere':
      return found.link
    case 'transaction':
      return words.a_transaction
    case 'hex_text':
    case 'hex_data':
      return words.hex
    case 'too_long':
      return words.long
  }
}

function wrongText(found: Check['found']): string | null {
  switch (found.code) {
    case 'other_host':
    case 'answered_for_another':
    case 'other_wallet':
    case 'other_network':
    case 'other_chain':
    case 'nonce_seen':
    case 'other_nonce':
    case 'no_time':
    case 'over':
    case 'too_far_off':
    case 'other_expiry':
      return challengeCheckWords[found.code]
    case 'hidden_character':
    case 'link_elsewhere':
    case 'transaction':
    case 'hex_text':
    case 'hex_data':
    case 'too_long':
      return challengeCheckWords.unneeded
    default:
      return null
  }
}

/** Returns the label, value and note that the page shows for a check of a sign-in message. */
export function checkText(check: Check): { readonly label: string; readonly value: string | null; readonly note: string } {
  const rest = check.verdict === 'missing' ? (`${check.id}_missing` as const) : (`${check.id}_right` as const)
  return { label: challengeCheckWords[check.id], value: valueText(check), note: wrongText(check.found) ?? challengeCheckWords[rest] }
}

const amountText = (amount: string): string => formatDecimal(amount, { minDecimals: 2 })

/** Describes in a sentence what an allowance permits. */
export function spendingText({ spender, token, amount, untilMs }: Spending): string {
  const who = spender
  const until = untilMs === null ? null : clockText(untilMs)
  if (amount === null) {
    if (token === null) return until === null ? spendingWords.any_own_endless(who) : spendingWords.any_own_until(who, until)
    return until === null ? spendingWords.any_endless(who, token) : spendingWords.any_until(who, token, until)
  }
  const most = amountText(amount)
  if (token === null) return until === null ? spendingWords.up_to_own_endless(who, most) : spendingWords.up_to_own_until(who, most, until)
  return until === null ? spendingWords.up_to_endless(who, most, token) : spendingWords.up_to_until(who, most, token, until)
}

/** Returns the title for an allowance. The title is a full sentence about what the allowance permits. */
export function spendingTitle({ token, amount }: Spending): string {
  if (amount === null) return token === null ? spendingWords.title_any_own : spendingWords.title_any(token)
  return token === null ? spendingWords.title_up_to_own(amountText(amount)) : spendingWords.title_up_to(amountText(amount), token)
}

/**
 * Describes what a payment transaction does, in one sentence, or in several if it grants an allowance for USDC. null if the app cannot decode the
 * call.
 */
export function paymentCallText({ call, target, spending }: Pick<PreparedPayment, 'call' | 'target' | 'spending'>): string | null {
  if (call === null) return null
  if (spending !== null) {
    const who = spending.spender
    return spending.amountUsdc === null ? spendingWords.payment_any(who) : spendingWords.payment_up_to(who, amountText(spending.amountUsdc))
  }
  const units = call.arguments.find(({ name }) => name === 'amount')?.value ?? '0'
  // USDC has 6 decimals, so `units` is an integer in millionths.
  return spendingWords.payment_deposit(amountText(fromUnits(BigInt(units), 6)), target.address)
}

type Grant = KeyDraft['grant']

/** Lists what a grant allows the agent to do, and what it does not allow. */
function powersOf(gives: Grant['gives']): { readonly may: readonly string[]; readonly mayNot: readonly string[] } {
  const words = grantWords
  if (gives === null) return { may: [words.may_anything], mayNot: [] }
  const trading = [words.may_trade, words.may_exit, words.may_cancel]
  const withheld = [words.not_transfer, words.not_pass_on]
  return gives === 'trading' ? { may: trading, mayNot: [words.not_move, ...withheld] } : { may: [...trading, words.may_move], mayNot: withheld }
}

/** Describes a grant: which agent may do what, for which wallet, on which contract and until when. */
export function grantText({ gives, agent, agentKnown, wallet, contract, expiresAtMs }: Grant) {
  const who = agent === null ? grantWords.some_agent : (agentKnown ? grantWords.key_agent : grantWords.new_agent)(agent)
  const until = expiresAtMs === null ? null : dateText(expiresAtMs)
  return { sentence: grantSentence(who, wallet, contract, until), ...powersOf(gives) }
}

function grantSentence(agent: string, wallet: string, router: string | null, until: string | null): string {
  if (router === null) return until === null ? grantWords.endless(agent, wallet) : grantWords.until(agent, wallet, until)
  return until === null ? grantWords.endless_at(agent, wallet, router) : grantWords.until_at(agent, wallet, router, until)
}
