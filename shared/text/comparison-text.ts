import type { BlockReason, Compares, ComparisonLine, ContractConcern, ContractKind, LineValue, LineWord, Remark } from '../ipc/intents/comparison-lines.ts'
import type { Comparison } from '../ipc/intents/signing.ts'
import { clockText, dateText, durationText, readableName, timeLeftText } from '../signing/wording.ts'
import { catalogue, plural } from './catalogue.ts'
import { titleText } from './title-text.ts'

/** Names of the lines in a comparison, keyed by `ComparisonLine.id`. */
export const lineNames = catalogue('lineNames', {
  pairId: 'Market',
  side: 'Side',
  orderType: 'Type',
  orderValue: 'Order value',
  referencePrice: 'Reference price',
  limitPrice: 'Limit price',
  triggerPrice: 'Trigger price',
  takeProfit: 'Take profit',
  stopLoss: 'Stop loss',
  maxSlippageBps: 'Max slippage',
  leverage: 'Leverage',
  marginMode: 'Margin mode',
  timeInForce: 'Time in force',
  restIfUnfilled: 'Rest if unfilled',
  postOnly: 'Post only',
  clientOrderId: 'Order ID',
  size: 'Size',
  margin: 'Margin used',
  positionId: 'Position',
  orderId: 'Order',
  notional: 'Value',
  amount: 'Amount',
  statedAmount: 'Stated amount',
  spender: 'Spender',
  token: 'Token',
  tokenName: 'Token name',
  contract: 'Contract',
  router: 'Router',
  function: 'What it does',
  wallet: 'Your wallet',
  trader: 'Your wallet',
  domain: 'Exchange',
  'domain.salt': 'Salt',
  chain: 'Chain',
  nonce: 'Nonce',
  deadline: 'Valid until',
  'deadline.over': 'Was valid until',
  expiresAt: 'Expires',
  'expiresAt.over': 'Expired',
  permissions: 'Permissions',
  agent: 'Agent',
  value: 'ETH sent along',
  sendUntil: 'Send before',
  'sendUntil.over': 'Had to be sent before',
  unused: 'Not used',
})

/** Values in a comparison that are shown in words, such as "Yes" or "Never used before". */
export const lineWords = catalogue<Readonly<Record<LineWord, string>>>('lineWords', {
  yes: 'Yes',
  no: 'No',
  empty: 'Empty',
  none: 'None',
  nothing: 'Nothing',
  as_it_is: 'Unchanged',
  no_limit: 'Without a limit',
  unreadable: 'Unreadable',
  no_end: 'No expiry',
  without_end: 'Never expires',
  an_end: 'An expiry',
  time_to_come: 'A future time',
  long: 'Long',
  short: 'Short',
  market: 'Market',
  limit: 'Limit',
  stop: 'Stop',
  cross: 'Cross',
  isolated: 'Isolated',
  gtc: 'Good till cancelled',
  ioc: 'Immediate or cancel',
  fok: 'Fill or kill',
  whole_position: 'The whole position',
  never_used: 'Never used before',
  new_agent: 'A new agent',
  nothing_named: 'Names none',
  payment: 'A payment for execution',
  router: 'The exchange router',
  router_or_token: 'The exchange router, or the token of a deposit',
  router_or_collateral: 'The exchange router or its collateral token',
  collateral: 'The collateral token',
  no_router_pinned: 'No router is trusted yet',
  no_router_known: 'No router trusted, none published',
  no_contract_known: 'None trusted, none published',
  token_unknown: 'Unknown token',
})

export const lineValues = catalogue('lineValues', {
  about: (value: string) => `About ${value}`,
  atMost: (value: string) => `At most ${value}`,
  market: (pairId: string) => `Market ${pairId}`,
  namedMarket: (symbol: string, pairId: string) => `${symbol}, market ${pairId}`,
  chain: (chainId: string) => `Chain ${chainId}`,
  version: (version: string) => `version ${version}`,
  domain: (name: string, version: string) => `${name}, version ${version}`,
  nonce: (nonce: string) => nonce,
  nextNonce: (nonce: string) => `${nonce}, the next one of your wallet`,
  calldata: (selector: string) => `Unknown calldata, ${selector}`,
  router: (address: string) => `The exchange router, ${address}`,
  usdc: (address: string) => `The token USDC, ${address}`,
  ownToken: (address: string) => `The protocol’s own token, ${address}`,
  collateral: (address: string) => `The collateral token, USDC, ${address}`,
  noToken: (address: string) => `Neither the router nor a token of the exchange, ${address}`,
  noCollateral: (address: string) => `Neither the router nor the collateral token, ${address}`,
  trusted: (address: string) => `Router you trust ${address}`,
  published: (address: string) => `Published by the service ${address}`,
  until: (time: string, duration: string) => `${time}, for ${duration}`,
  over: (time: string) => `${time}, expired`,
  trading: 'Trading only',
  tradingAndCollateral: 'Trading and collateral',
  gives: (gives: string, shown: string) => `${gives} (${shown})`,
  asPrepared: (name: string) => `${name}, as prepared`,
  /** Returns a line's name as it appears inside a sentence. */
  inSentence: (name: string) => name.toLowerCase(),
  valueWithUnit: (value: string, unit: string) => `${value} ${unit}`,
})

/** What a comparison is about. Each text is the beginning of a sentence. */
export const comparedSubjects = catalogue<Readonly<Record<Compares, string>>>('comparedSubjects', {
  message: 'The prepared message',
  transaction: 'The transaction',
  permit: 'The permit',
  grant: 'The grant',
})

/** Sentences about comparisons. `subject`: one of `comparedSubjects`. `name`: a line's name, formatted by `inSentence`. */
export const comparisonWords = catalogue('comparison', {
  lineDiffers: (subject: string, name: string, signed: string, asked: string) => `${subject} has another ${name}: ${signed}. You asked for ${asked}.`,
  lineUnasked: (subject: string, name: string, signed: string) => `${subject} sets the ${name} to ${signed}. You asked for none.`,
  lineTwoScales: (subject: string, name: string, signed: string, asked: string) =>
    `${subject} is unclear: its ${name} could also be read as ${signed}. You asked for ${asked}.`,
  lineGone: (subject: string, name: string) => `${subject} no longer contains the ${name}, which the agreed signing format contains.`,
  lineMoved: (subject: string, name: string, field: string) => `${subject} has the ${name} in another field (${field}) than the agreed signing format.`,
  lineMissing: (subject: string, name: string) => `${subject} does not name the ${name}.`,
  foreignAddress: (subject: string, address: string, field: string) =>
    `${subject} names ${address} in ${field}. It is neither your wallet nor a contract that you trust.`,
  otherWallet: (subject: string, signed: string, asked: string) => `${subject} is for the wallet ${signed}. Yours is ${asked}.`,
  otherExchange: (subject: string, signed: string, asked: string) => `${subject} is for ${signed}. It must be for ${asked}.`,
  otherChain: (subject: string, signed: string, asked: string) => `${subject} is for another chain: ${signed}. It must be ${asked}.`,
  noChain: (subject: string, asked: string) => `${subject} does not name its chain. It must be ${asked}.`,
  otherContract: (subject: string, signed: string) => `${subject} is for the contract ${signed}.`,
  otherThanTrusted: (subject: string, signed: string, expected: string) => `${subject} is for the contract ${signed}. The router you trust is ${expected}.`,
  otherThanPublished: (subject: string, signed: string, expected: string) => `${subject} is for the contract ${signed}. The service publishes ${expected}.`,
  usedNonce: (subject: string, signed: string) => `${subject} has a nonce that was signed before: ${signed}.`,
  notNextNonce: (subject: string, nonce: string, next: string) => `${subject} has the nonce ${nonce}. The next one of your wallet is ${next}.`,
  otherEnd: (subject: string, signed: string, asked: string) => `${subject} is valid until ${signed}. The limit is: ${asked}.`,
  neverEnds: (subject: string) => `${subject} would never expire.`,
  expired: (subject: string) => `${subject} has already expired.`,
  expiredAt: (subject: string, time: string) => `${subject} has already expired: ${time}.`,
  noAgent: 'The grant does not name its agent.',
  agentIsWallet: 'The grant names your own wallet as its agent.',
  agentIsZero: 'The grant names the zero address as its agent.',
  otherAgent: (signed: string, asked: string) => `The grant is for the agent ${signed}. The service named ${asked}.`,
  moreThanTrading: (signed: string) => `The grant gives more than trading: ${signed}.`,
  moreThanCollateral: (signed: string) => `The grant gives more than trading and collateral: ${signed}.`,
  permitNoAmount: 'The permit does not name its amount.',
  permitNoLimit: (asked: string) => `The permit lets the router take USDC without a limit. You asked for ${asked} USDC.`,
  permitNoSpender: 'The permit does not name who may take the tokens.',
  permitNoToken: 'The permit does not name its token.',
  permitOtherToken: (signed: string, asked: string) => `The permit is for the token ${signed}. Your collateral is ${asked}.`,
  permitOtherName: (signed: string, asked: string) => `The permit is for ${signed}. The token calls itself ${asked}.`,
  otherAmount: (subject: string, signed: string, asked: string, unit: string) => `${subject} is for ${signed} ${unit}. You asked for ${asked} ${unit}.`,
  amountNoLimit: (subject: string, asked: string, unit: string) => `${subject} is for ${unit} without a limit. You asked for ${asked} ${unit}.`,
  otherSpender: (subject: string, signed: string, asked: string) => `${subject} lets ${signed} take your tokens. The router is ${asked}.`,
  spenderNoRouter: (subject: string, signed: string) => `${subject} lets ${signed} take your tokens, and you trust no router yet.`,
  otherToken: (subject: string, signed: string, asked: string) => `${subject} is for the token ${signed}. You asked for the token at ${asked}.`,
  statedAmount: (subject: string, asked: string, signed: string) => `${subject} is for ${asked} USDC, but the service states ${signed} USDC beside it.`,
  noCalldata: 'The transaction contains no calldata.',
  otherCall: (signed: string) => `The transaction calls ${signed}, which is not what you asked for.`,
  calledApproval: (signed: string) => `The transaction calls ${signed}, but the service says that it is an approval.`,
  calledAction: (signed: string) => `The transaction calls ${signed}, but the service says that it is an action.`,
  unreadCall: 'The transaction calls a contract with calldata that this app cannot read.',
  unreadTokenCall: 'The transaction calls the collateral token with calldata that this app cannot read.',
  unreadRouterCall: (selector: string) => `The transaction calls the exchange router with calldata that this app cannot read: ${selector}.`,
  noContract: (subject: string) => `${subject} does not name a contract.`,
  notAToken: (address: string) => `The transaction calls ${address}, which is neither the exchange router nor a token of the exchange.`,
  notTheCollateral: (address: string) => `The transaction calls ${address}, which is neither the exchange router nor its collateral token.`,
  ethAlong: (amount: string) => `The transaction sends ${amount} ETH along, which you did not ask for.`,
  ethAlongUnreadable: 'The transaction sends an amount of ETH along that cannot be read.',
  payloadLeftOut: (name: string, asked: string) => `The service prepared your order without its ${name} (${asked}).`,
  payloadAdded: (name: string, signed: string) => `The service prepared your order with this ${name}, which you did not ask for: ${signed}.`,
  payloadChanged: (name: string, signed: string, asked: string) => `The service prepared your order with another ${name}: ${signed}. You asked for ${asked}.`,
  notTheOrder: 'The prepared message contains nothing of your order: not its market, side or value.',
  notThePosition: 'The prepared message contains nothing of your position: not its ID or market.',
  noGrant: 'The service shows no grant that could be compared with your request.',
  noPermit: (primaryType: string) => `The message is not an EIP-2612 permit, but ${primaryType}.`,
  otherAction: (struct: string) => `The prepared message is for another action: ${struct}.`,
  noTransaction: 'The service prepared no transaction.',
  approvalAlone: 'The service wants an approval, but no transaction that would use it.',
  approvalAfter: 'The service wants an approval after the transaction that needs it.',
  severalTransactions: (count: number) => plural(count, { other: `The service wants ${count} transactions for one action.` }),
  severalApprovals: (count: number) => plural(count, { other: `The service wants ${count} approvals for one action.` }),
  zeroAddress: 'The message names the zero address as its contract.',
  noContractThere: (address: string) => `There is no contract at ${address} on Base.`,
  publishesRouter: (address: string, place: string) => `The service publishes another router in ${place}: ${address}.`,
  publishesCollateral: (address: string, place: string) => `The service publishes another collateral token in ${place}: ${address}.`,
  publishesOwnToken: (address: string, place: string) => `The service publishes another protocol token in ${place}: ${address}.`,
  itsConfiguration: 'its configuration',
  publishesNoRouter: 'The service publishes no router now, so nothing confirms a router other than the one you trust.',
  publishesNoCollateral: 'The service publishes no collateral token now, so nothing confirms a token other than the one you trust.',
  publishesNoOwnToken: 'The service publishes no protocol token now, so nothing confirms a token other than the one you trust.',
  contains: (subject: string, field: string, value: string) => `${subject} contains ${field} (${value}), which you did not ask for.`,
  alsoRead: (name: string, value: string, other: string) =>
    `The ${name} is ${value} as you asked for, but could also be read as ${other}. Confirm this value once.`,
  contractNotTrusted: (subject: string) => `${subject} names a contract that you do not trust yet. Confirm it once.`,
  needsConfirmation: (subject: string) => `${subject} needs your confirmation.`,
  formatChanged: (subject: string) => `${subject} has another signing format than the one you confirmed.`,
  formatNew: (subject: string) => `${subject} has a new signing format. Confirm it once.`,
  openMissing: (name: string) => `Not in the message: ${name}`,
  openAlso: (name: string, other: string) => `${name}: could also be read as ${other}`,
  openUnasked: (field: string) => `Not in your request: ${field}`,
  earlierFormat: (hash: string) => `Format used before: ${hash}`,
  thisFormat: (hash: string) => `Format of this message: ${hash}`,
})

const numbered = /\.\d+$/

/**
 * Returns the name of a comparison line, for example "Order value". `over`: the message's end, which the line states, has passed; the name is then in
 * the past tense.
 */
export function lineName({ id, field }: Pick<ComparisonLine, 'id' | 'field'>, over = false): string {
  if (id.startsWith('payload.')) return lineValues.asPrepared(readableName(id.slice('payload.'.length)))
  const known = id.replace(numbered, '')
  return (over ? nameOfId(`${known}.over`) : null) ?? nameOfId(known) ?? readableName(field ?? known)
}

const nameOfId = (id: string): string | null => (Object.hasOwn(lineNames, id) ? (lineNames[id as keyof typeof lineNames] ?? null) : null)

const ended = (written: string | null, leftMs: number | null): string => {
  if (written === null) return lineWords.without_end
  return leftMs === null ? lineValues.over(written) : lineValues.until(written, timeLeftText(leftMs))
}

/** Returns the text for one side of a comparison line. */
export function lineValueText(value: LineValue): string {
  if (typeof value === 'string') return value
  switch (value.code) {
    case 'about':
      return lineValues.about(value.value)
    case 'at_most':
      return lineValues.atMost(value.value)
    case 'at_most_ms':
      return lineValues.atMost(durationText(value.ms))
    case 'pair':
      return value.symbol === null ? lineValues.market(value.pairId) : lineValues.namedMarket(value.symbol, value.pairId)
    case 'chain':
      return lineValues.chain(value.chainId)
    case 'domain':
      return value.name === null ? lineValues.version(value.version) : lineValues.domain(value.name, value.version)
    case 'nonce':
      return lineValues.nonce(value.nonce)
    case 'next_nonce':
      return lineValues.nextNonce(value.nonce)
    case 'calldata':
      return lineValues.calldata(value.selector)
    case 'contract': {
      const { router, usdc: USDC, ownToken: own, collateral, noToken: no_token, noCollateral: no_collateral } = lineValues
      return { router, USDC, own, collateral, no_token, no_collateral }[value.is](value.address)
    }
    case 'vouched':
      return (value.by === 'pin' ? lineValues.trusted : lineValues.published)(value.address)
    case 'until_time':
      return ended(clockText(value.atMs), value.leftMs)
    case 'until_date':
      return ended(dateText(value.atMs), value.leftMs)
    case 'gives': {
      const gives = value.gives === 'trading' ? lineValues.trading : lineValues.tradingAndCollateral
      return value.shown === null ? gives : lineValues.gives(gives, value.shown)
    }
    case 'action':
      return titleText(value.title)
    default:
      return lineWords[value.code]
  }
}

const sideText = (value: LineValue | null, unit: string | null): string => {
  const written = value === null ? '' : lineValueText(value)
  return unit === null ? written : lineValues.valueWithUnit(written, unit)
}

interface Sides {
  readonly line: ComparisonLine
  readonly subject: string
  readonly asked: string
  readonly signed: string
}

function payloadDiffers({ id, asked, signed }: ComparisonLine): string {
  const name = lineValues.inSentence(readableName(id.slice('payload.'.length)))
  if (signed === null) return comparisonWords.payloadLeftOut(name, sideText(asked, null))
  return asked === null
    ? comparisonWords.payloadAdded(name, sideText(signed, null))
    : comparisonWords.payloadChanged(name, sideText(signed, null), sideText(asked, null))
}

function orderDiffers({ line, subject }: Sides): string {
  const name = lineValues.inSentence(lineName(line))
  const [asked, signed] = [sideText(line.asked, line.unit), sideText(line.signed, line.unit)]
  if (line.code === 'moved') return line.signed === null ? comparisonWords.lineGone(subject, name) : comparisonWords.lineMoved(subject, name, line.field ?? '')
  if (line.code === 'foreign_address') return comparisonWords.foreignAddress(subject, signed, line.field ?? '')
  if (line.code === 'two_scales') return comparisonWords.lineTwoScales(subject, name, signed, asked)
  return line.remark?.code === 'unasked' ? comparisonWords.lineUnasked(subject, name, signed) : comparisonWords.lineDiffers(subject, name, signed, asked)
}

function contractDiffers({ line: { signed: there, remark }, subject, signed }: Sides): string {
  if (there === null) return comparisonWords.noContract(subject)
  if (remark?.code !== 'other_contract') return comparisonWords.otherContract(subject, signed)
  return (remark.by === 'pin' ? comparisonWords.otherThanTrusted : comparisonWords.otherThanPublished)(subject, signed, remark.expected)
}

function envelopeDiffers(sides: Sides): string {
  const { line, subject, asked, signed } = sides
  switch (line.id.replace(numbered, '')) {
    case 'wallet':
      return comparisonWords.otherWallet(subject, signed, asked)
    case 'domain':
      return line.signed === null
        ? comparisonWords.lineMissing(subject, lineValues.inSentence(lineNames.domain))
        : comparisonWords.otherExchange(subject, signed, asked)
    case 'chain':
      return line.signed === null ? comparisonWords.noChain(subject, asked) : comparisonWords.otherChain(subject, signed, asked)
    case 'contract':
      return contractDiffers(sides)
    case 'nonce':
      return line.remark?.code === 'not_the_next'
        ? comparisonWords.notNextNonce(subject, line.remark.nonce, line.remark.next)
        : comparisonWords.usedNonce(subject, signed)
    default:
      return comparisonWords.otherEnd(subject, signed, asked)
  }
}

function permitDiffers(sides: Sides): string {
  const { line, subject, asked, signed } = sides
  switch (line.id) {
    case 'amount':
      if (line.signed === null) return comparisonWords.permitNoAmount
      return line.remark?.code === 'no_limit' ? comparisonWords.permitNoLimit(asked) : comparisonWords.otherAmount(subject, signed, asked, 'USDC')
    case 'spender':
      return line.signed === null ? comparisonWords.permitNoSpender : comparisonWords.otherSpender(subject, signed, asked)
    case 'token':
      return line.signed === null ? comparisonWords.permitNoToken : comparisonWords.permitOtherToken(signed, asked)
    case 'tokenName':
      return line.signed === null ? comparisonWords.permitNoToken : comparisonWords.permitOtherName(signed, asked)
    case 'deadline':
      return line.remark?.code === 'never_ends' ? comparisonWords.neverEnds(subject) : envelopeDiffers(sides)
    default:
      return envelopeDiffers(sides)
  }
}

function grantDiffers(sides: Sides): string {
  const { line, subject, asked, signed } = sides
  switch (line.id.replace(numbered, '')) {
    case 'agent':
      if (line.signed === null) return comparisonWords.noAgent
      if (line.remark?.code === 'agent_is_wallet') return comparisonWords.agentIsWallet
      return line.remark?.code === 'agent_is_zero' ? comparisonWords.agentIsZero : comparisonWords.otherAgent(signed, asked)
    case 'permissions':
      return (line.remark?.code === 'more_than_collateral' ? comparisonWords.moreThanCollateral : comparisonWords.moreThanTrading)(signed)
    case 'expiresAt':
      return line.remark?.code === 'over' ? comparisonWords.expiredAt(subject, signed) : comparisonWords.neverEnds(subject)
    default:
      return line.group === 'order' ? orderDiffers(sides) : envelopeDiffers(sides)
  }
}

function callDiffers({ line: { signed: there, remark }, signed }: Sides): string {
  if (there === null) return comparisonWords.noCalldata
  if (remark?.code === 'other_call') return comparisonWords.otherCall(signed)
  if (remark?.code === 'called') return (remark.kind === 'approval' ? comparisonWords.calledApproval : comparisonWords.calledAction)(signed)
  return remark?.code === 'unread_token_call' ? comparisonWords.unreadTokenCall : comparisonWords.unreadCall
}

function transactionDiffers(sides: Sides): string {
  const { line, subject, asked, signed } = sides
  const { remark } = line
  switch (line.id) {
    case 'function':
      return callDiffers(sides)
    case 'contract': {
      if (line.signed === null) return comparisonWords.noContract(subject)
      const isPayment = typeof line.asked === 'object' && line.asked?.code === 'router_or_collateral'
      return (isPayment ? comparisonWords.notTheCollateral : comparisonWords.notAToken)(remark?.code === 'unknown_contract' ? remark.address : signed)
    }
    case 'spender':
      return remark?.code === 'router_not_pinned' ? comparisonWords.spenderNoRouter(subject, signed) : comparisonWords.otherSpender(subject, signed, asked)
    case 'token':
      return comparisonWords.otherToken(subject, signed, asked)
    case 'amount': {
      const unit = line.unit ?? ''
      const isEndless = remark?.code === 'no_limit' || (remark?.code === 'other_amount' && remark.endless)
      return isEndless ? comparisonWords.amountNoLimit(subject, asked, unit) : comparisonWords.otherAmount(subject, signed, asked, unit)
    }
    case 'statedAmount':
      return comparisonWords.statedAmount(subject, asked, signed)
    case 'value':
      return remark?.code === 'unreadable' ? comparisonWords.ethAlongUnreadable : comparisonWords.ethAlong(signed)
    case 'sendUntil':
      return comparisonWords.expired(subject)
    default:
      return line.group === 'envelope' && line.code !== 'moved' ? envelopeDiffers(sides) : orderDiffers(sides)
  }
}

function lineDiffers(of: Compares, line: ComparisonLine): string {
  if (line.id.startsWith('payload.')) return payloadDiffers(line)
  const sides: Sides = { line, subject: comparedSubjects[of], asked: sideText(line.asked, null), signed: sideText(line.signed, null) }
  switch (of) {
    case 'permit':
      return permitDiffers(sides)
    case 'grant':
      return grantDiffers(sides)
    case 'transaction':
      return transactionDiffers(sides)
    case 'message':
      return line.group === 'envelope' && line.code !== 'moved' ? envelopeDiffers(sides) : orderDiffers(sides)
  }
}

function publishesAnother(what: ContractKind, address: string, at: 'config' | 'meta'): string {
  const { publishesRouter: router, publishesCollateral: collateral_token, publishesOwnToken: protocol_token } = comparisonWords
  return { router, collateral_token, protocol_token }[what](address, at === 'config' ? comparisonWords.itsConfiguration : '/meta')
}

function publishesNone(what: ContractKind): string {
  const { publishesNoRouter: router, publishesNoCollateral: collateral_token, publishesNoOwnToken: protocol_token } = comparisonWords
  return { router, collateral_token, protocol_token }[what]
}

/** Returns a reason not to trust a contract, as a sentence. */
export function concernText(concern: ContractConcern): string {
  switch (concern.code) {
    case 'zero_address':
      return comparisonWords.zeroAddress
    case 'no_contract':
      return comparisonWords.noContractThere(concern.address)
    case 'publishes_another':
      return publishesAnother(concern.what, concern.address, concern.at)
    case 'publishes_none':
      return publishesNone(concern.what)
  }
}

/** Returns the reason why the app does not let the wallet sign or send something, as a sentence. */
export function blockedText(by: BlockReason): string {
  switch (by.code) {
    case 'line':
      return lineDiffers(by.of, by.line)
    case 'not_the_order':
      return comparisonWords.notTheOrder
    case 'not_the_position':
      return comparisonWords.notThePosition
    case 'no_grant':
      return comparisonWords.noGrant
    case 'no_permit':
      return comparisonWords.noPermit(by.primaryType)
    case 'other_action':
      return comparisonWords.otherAction(by.struct)
    case 'contract':
      return concernText(by.by)
    case 'no_transaction':
      return comparisonWords.noTransaction
    case 'approval_alone':
      return comparisonWords.approvalAlone
    case 'approval_after':
      return comparisonWords.approvalAfter
    case 'several_transactions':
      return comparisonWords.severalTransactions(by.count)
    case 'several_approvals':
      return comparisonWords.severalApprovals(by.count)
  }
}

type Ambiguous = ComparisonLine & { readonly remark: Extract<Remark, { readonly code: 'also' }> }
const isAmbiguous = (line: ComparisonLine): line is Ambiguous => line.remark?.code === 'also'

const openLines = ({ lines }: Pick<Comparison, 'lines'>): readonly ComparisonLine[] => lines.filter(({ verdict }) => verdict === 'unmatched')

/** Returns the sentence about what the user must confirm, because of the lines that did not match the request. */
function confirmText({ compares, formatKnown, earlierFormats, asks, ...comparison }: Omit<Comparison, 'blocked'>): string {
  const subject = comparedSubjects[compares]
  if (asks?.kind === 'unreadable_call') return comparisonWords.unreadRouterCall(asks.selector)
  const open = openLines(comparison)
  const asked = open.filter(({ id }) => id !== 'contract')
  const extra = asked.find((line) => line.signed !== null && !isAmbiguous(line))
  if (extra !== undefined) return comparisonWords.contains(subject, extra.field ?? lineName(extra), sideText(extra.signed, null))
  const missing = asked.find((line) => !isAmbiguous(line))
  if (missing !== undefined) return comparisonWords.lineMissing(subject, lineValues.inSentence(lineName(missing)))
  const ambiguous = open.find(isAmbiguous)
  if (ambiguous !== undefined) {
    const { value, unit } = ambiguous.remark
    return comparisonWords.alsoRead(lineValues.inSentence(lineName(ambiguous)), sideText(ambiguous.signed, ambiguous.unit), sideText(value, unit))
  }
  if (formatKnown) return (open.length > 0 ? comparisonWords.contractNotTrusted : comparisonWords.needsConfirmation)(subject)
  return (earlierFormats.length > 0 ? comparisonWords.formatChanged : comparisonWords.formatNew)(subject)
}

/** Explains why a message is blocked, or what the user must confirm; null if neither applies. */
export function comparisonText({ blocked, ...comparison }: Comparison): string | null {
  if (blocked !== null) return blockedText(blocked)
  return comparison.verdict === 'confirm' ? confirmText(comparison) : null
}

/**
 * Describes in a few words each comparison line that the user must confirm. If the signing format is new, also lists the hashes of the new and the
 * earlier formats.
 */
export function openTexts(comparison: Comparison): readonly string[] {
  const { earlierFormats, formatHash } = comparison
  const named = openLines(comparison).map((line) => {
    if (line.signed === null) return comparisonWords.openMissing(lineName(line))
    return isAmbiguous(line)
      ? comparisonWords.openAlso(lineName(line), sideText(line.remark.value, line.remark.unit))
      : comparisonWords.openUnasked(line.field ?? lineName(line))
  })
  return earlierFormats.length === 0 ? named : [...named, ...earlierFormats.map(comparisonWords.earlierFormat), comparisonWords.thisFormat(formatHash)]
}
