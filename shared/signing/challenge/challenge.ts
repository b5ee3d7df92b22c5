import { keccak256, stringToHex } from 'viem'
import { limits } from '../../api/limits.ts'
import type { ChallengeProblem, Check } from '../../ipc/intents/signing.ts'
import type { ChallengeView } from '../../ipc/keys/session.ts'
import { sameAddress } from '../trust.ts'
import { firstHidden } from '../wording.ts'
import { checkExpiry, checkNonce, type Finding, missing, right, type Span, tokenSpans, wrong } from './challenge-fields.ts'

export interface ChallengeExpectation {
  /** The sign-in message, exactly as received. */
  readonly message: string
  /** The other fields of the response that contained the sign-in message; null if missing. */
  readonly answer: {
    readonly wallet: string | null
    readonly nonce: string
    readonly expiresAtMs: number | null
    readonly network: string | null
    readonly chainId: number | null
  }
  readonly wallet: string
  /** The host that the message must name: `ServiceRoots.host` of the profile. */
  readonly host: string
  /** The service's time: this computer's time plus the measured clock offset. */
  readonly nowMs: number
  /** Hashes of message formats that the user accepted although some values were missing. */
  readonly knownFormats: readonly string[]
  /** Whether an earlier challenge used the nonce. */
  readonly nonceSeen?: (nonce: string) => boolean
}

export interface ChallengeReport extends Pick<ChallengeView, 'checks' | 'passed' | 'verdict' | 'problem'> {
  /** keccak256 of the message after placeholders have replaced all recognised values. */
  readonly formatHash: string
  readonly formatKnown: boolean
}

const addressToken = /(?<![0-9A-Za-z])0x[0-9a-fA-F]{40}(?![0-9A-Za-z])/g

function walletCheck({ message, answer, wallet }: ChallengeExpectation): Finding {
  if (answer.wallet !== null && !sameAddress(answer.wallet, wallet))
    return wrong('wallet', { code: 'answered_for_another', wallet: answer.wallet, expected: wallet })
  const found = tokenSpans(message, addressToken)
  const other = found.find((span) => !sameAddress(span.text, wallet))
  if (other !== undefined) return wrong('wallet', { code: 'other_wallet', wallet: other.text, expected: wallet }, other)
  return found.length === 0 ? missing('wallet') : right('wallet', { code: 'wallet', wallet }, found)
}

const chain = limits.chainId
const named = new RegExp(`\\bbase(?:\\s+mainnet)?\\b[^\\n\\p{L}\\p{N}]{0,3}(?:chain(?:\\s*id)?\\s*[:=#]?\\s*)?${chain}\\)?(?!\\d)`, 'giu')
const chainNumber = /\bchain(?:[\s_-]*id)?\s*[:=#]?\s*(\d+|0x[0-9a-f]+)/gi
// "Your Ethereum account" names a kind of account, not a network. EIP-4361 uses this wording on every chain.
const otherNetworks =
  /\b(ethereum(?! (?:account|address|wallet)\b)|sepolia|goerli|holesky|arbitrum|optimism|polygon|avalanche|bnb|bsc|gnosis|linea|scroll|zksync|blast|mantle|solana)\b/gi

function networkCheck({ message, answer }: ChallengeExpectation): Finding {
  const otherThan = (span: Span): Finding => wrong('network', { code: 'other_network', network: span.text }, span)
  const isBase = (spans: readonly Span[]): Finding => right('network', { code: 'network' }, spans)
  if (answer.chainId !== null && answer.chainId !== chain) return wrong('network', { code: 'other_chain', chainId: answer.chainId })
  if (answer.network !== null && !/^base(\s+mainnet)?$/i.test(answer.network.trim()))
    return wrong('network', { code: 'other_network', network: answer.network })
  const other = tokenSpans(message, otherNetworks)[0]
  if (other !== undefined) return otherThan(other)
  const numbers = [...message.matchAll(chainNumber)].map((match) => ({ start: match.index, length: match[0].length, text: match[0], number: match[1] ?? '' }))
  const otherNumber = numbers.find((span) => Number(span.number) !== chain)
  if (otherNumber !== undefined) return otherThan(otherNumber)
  // Finds a number after the word Base that is not Base's chain id, as in "Base (84532)", which is a test network.
  const beside = tokenSpans(message, /\bbase(?:\s+mainnet)?\s*[(:,#-]?\s*\d{2,}\)?/giu).find((span) => !new RegExp(`(?<!\\d)${chain}(?!\\d)`).test(span.text))
  if (beside !== undefined) return otherThan(beside)
  const labelled = /^[ \t]*network[ \t]*:[ \t]*(.+)$/im.exec(message)
  if (labelled !== null && !/\bbase\b/i.test(labelled[1] ?? ''))
    return wrong('network', { code: 'other_network', network: labelled[1] ?? '' }, { start: labelled.index, length: labelled[0].length, text: labelled[0] })
  const whole = tokenSpans(message, named)
  if (whole.length > 0) return isBase(whole)
  // If the message states chain ids, as in "Chain ID: 8453", only these numbers decide whether the network is Base.
  if (numbers.length > 0) return isBase(numbers)
  const name = tokenSpans(message, /\bbase\b/gi)
  const number = tokenSpans(message, new RegExp(`(?<![\\d.])${chain}(?![\\d.]*\\d)`, 'g'))
  return name.length > 0 && number.length > 0 ? isBase([...name.slice(0, 1), ...number]) : missing('network')
}

const maxLength = 4_096
const maxLines = 60

function restCheck(expectation: ChallengeExpectation): Finding {
  const { message, answer, host } = expectation
  const lines = message.split('\n').filter((line) => line.trim() !== '').length
  const refused = (problem: ChallengeProblem, span: Span | null = null): Finding => wrong('rest', problem, span)
  const hidden = firstHidden(message)
  if (hidden !== null) return refused({ code: 'hidden_character', name: hidden.text }, hidden)
  // Wallets interpret hex text as bytes, so the wallet would sign bytes instead of the text.
  if (/^\s*(0x)?[0-9a-fA-F\s]+$/.test(message)) return refused({ code: 'hex_text' })
  const link = otherHost(message, host)
  if (link !== null) return refused({ code: 'link_elsewhere', link: link.text }, link)
  const hex = tokenSpans(message, /(?:0x[0-9a-fA-F]{41,}|(?<![0-9A-Za-z])[0-9a-fA-F]{64,})/g).find((span) => span.text !== answer.nonce)
  if (hex !== undefined) return refused({ code: 'hex_data' }, hex)
  const call = tokenSpans(
    message,
    /\b(eth_\w+|wallet_\w+|personal_sign|approve|permit|transfer(?:From)?|setApprovalForAll|multicall)\s*[({]|"?(primaryType|verifyingContract|calldata)"?\s*:/gi,
  )[0]
  if (call !== undefined) return refused({ code: 'transaction', call: call.text }, call)
  if (message.length > maxLength || message.split('\n').length > maxLines || /\n(?:[ \t]*\n){6}/.test(message)) return refused({ code: 'too_long' })
  return right('rest', { code: 'nothing_else', lines }, [])
}

/** Hashes the format of a message: placeholders replace all recognised values and all times, so only the remaining text counts. */
function formatOf(message: string, findings: readonly Finding[]): string {
  const times = tokenSpans(message, /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?|(?<!\d)\d{10}(?:\d{3})?(?!\d)/g)
  const spans = [
    ...findings.flatMap((finding) => finding.spans.map((span) => ({ ...span, name: finding.id }))),
    ...times.map((span) => ({ ...span, name: 'time' })),
  ]
  let [layout, end] = ['', 0]
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.length - a.length)) {
    if (span.start < end) continue
    layout += `${message.slice(end, span.start)}\u0000${span.name}\u0000`
    end = span.start + span.length
  }
  return keccak256(stringToHex(layout + message.slice(end)))
}

/**
 * Checks a sign-in message before it goes to the wallet (AUTH-06): host, wallet, network, nonce, expiry, and that it contains nothing else. A wrong
 * value blocks the message. A missing value needs the user's confirmation, once per message format, because the API document does not show the
 * format.
 */
export function checkChallenge(given: ChallengeExpectation): ChallengeReport {
  // A message that is too long is refused anyway, so the check reads only the beginning. This keeps it fast.
  const expectation = { ...given, message: given.message.slice(0, maxLength + 1) }
  const findings = [
    hostCheck(expectation.message, expectation.host),
    walletCheck(expectation),
    networkCheck(expectation),
    checkNonce(expectation.message, expectation.answer.nonce, expectation.nonceSeen),
    checkExpiry(expectation),
    restCheck(expectation),
  ]
  const formatHash = formatOf(expectation.message, findings)
  const formatKnown = expectation.knownFormats.includes(formatHash)
  const problem = findings.find((finding) => finding.problem !== null)?.problem ?? null
  const isWhole = findings.every((finding) => finding.verdict !== 'missing')
  const checks = findings.map(
    ({ id, found, verdict, spans }): Check => ({ id, found, verdict, at: spans[0] === undefined ? null : { start: spans[0].start, length: spans[0].length } }),
  )
  return {
    checks,
    passed: checks.filter((check) => check.verdict === 'pass').length,
    verdict: problem !== null ? 'block' : isWhole || formatKnown ? 'pass' : 'confirm',
    problem,
    formatHash: formatHash,
    formatKnown: formatKnown,
  }
}

/**
 * Matches links, host names, IP addresses and localhost, each with an optional port. Accepts letters of any script, so that it matches look-alike
 * host names completely.
 */
const hostToken =
  /(?:[a-z][a-z0-9+.-]*:\/\/[^\s<>"'()]+)|(?:\[[0-9a-f:]+\](?::\d{1,5})?)|(?<![\p{L}\p{N}.@-])(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[a-z0-9-]+))(?::\d{1,5})?(?![\p{L}\p{N}])/giu

interface Named extends Span {
  /** Host name with its port, as a URL writes it; null if the text is not a valid URL, or contains a user name. */
  readonly host: string | null
}

/** `e.g` and `i.e` have the form of host names, but are abbreviations. */
const isAbbreviation = (text: string): boolean => text.split('.').every((part) => part.length === 1)

function hostsIn(message: string): readonly Named[] {
  return tokenSpans(message, hostToken)
    .filter((span) => !isAbbreviation(span.text))
    .map((span) => {
      const text = span.text.replace(/[.,;:!?]+$/, '')
      const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
      return { ...span, text, length: text.length, host: url === null || url.username !== '' ? null : url.host }
    })
}

const isHost = (named: string | null, expected: string): boolean => named !== null && (named === expected || named === expected.replace(/:\d+$/, ''))

function hostCheck(message: string, expected: string): Finding {
  const named = hostsIn(message)
  const same = named.filter((span) => isHost(span.host, expected))
  if (same.length > 0) return right('host', { code: 'host', host: expected }, same)
  const other = named[0]
  return other === undefined ? missing('host') : wrong('host', { code: 'other_host', host: other.text, expected }, other)
}

const otherHost = (message: string, expected: string): Span | null => hostsIn(message).find((span) => !isHost(span.host, expected)) ?? null
