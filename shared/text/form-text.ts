import type { FormIssue } from '../ipc/form-issue.ts'
import { catalogue, textOf } from './catalogue.ts'

/** The messages of forms, by the code of a `FormIssue`. */
export const formWords = catalogue('forms', {
  writeWithPoint: (meant: string) => `Write ${meant} with a point. A comma only groups thousands.`,
  aboveZero: 'Enter a number above zero.',
  nothingChanges: 'Nothing changes.',

  // Messages about prices
  typePrice: 'Type a price.',
  priceSteps: (symbol: string, step: string, nearest: string) => `${symbol} prices move in steps of ${step}. The nearest is ${nearest}.`,
  noPriceYet: 'There is no price for this market yet.',
  noPriceThatLow: (symbol: string) => `No price of ${symbol} is that low.`,
  slippageSteps: 'Slippage must be a percentage in steps of 0.01.',
  slippageRange: 'Slippage must be between 0.01% and 10%.',

  typeDistance: 'Type the distance from the price in percent.',
  typeOrderValueFirst: 'Enter the order value first.',
  fallsTooFar: 'The price cannot fall by 100% or more.',
  profitTooLarge: 'The profit must be less than the order value.',
  lossTooLarge: 'The loss must be less than the order value.',
  aboveNow: (price: string) => `The price must be above the current price, ${price}.`,
  belowNow: (price: string) => `The price must be below the current price, ${price}.`,
  aboveLimit: (price: string) => `The price must be above the limit price, ${price}.`,
  belowLimit: (price: string) => `The price must be below the limit price, ${price}.`,
  aboveTrigger: (price: string) => `The price must be above the trigger price, ${price}.`,
  belowTrigger: (price: string) => `The price must be below the trigger price, ${price}.`,
  aboveOrder: (price: string) => `The price must be above the order price, ${price}.`,
  belowOrder: (price: string) => `The price must be below the order price, ${price}.`,
  entryUnknown: 'The entry price of the position is unknown. Type a price.',

  // Messages about amounts and sizes
  typeAmount: (unit: string) => `Type an amount in ${unit}.`,
  typeSize: 'Type a size.',
  mostDecimals: (token: string, most: number) => `${token} has at most ${most} decimals.`,
  mostSizeDecimals: (symbol: string, most: number) => `${symbol} sizes have at most ${most} decimals.`,
  orderFrom: (symbol: string, least: string) => `${symbol} accepts orders from ${least}.`,
  orderUpTo: (symbol: string, most: string) => `${symbol} accepts orders up to ${most}.`,
  valueNeedsPrice: (base: string) => `An amount in ${base} needs a price first.`,
  typeShareOfMargin: 'Type a percentage of your free margin.',
  shareRange: 'Enter more than 0% and at most 100% of your free margin.',
  shareNeedsLeverage: 'Enter the leverage first.',
  freeMarginUnknown: 'Your free margin is unknown.',
  noFreeMargin: 'You have no free margin.',

  // Messages about leverage and margin
  leverageNotWhole: 'Leverage must be a whole number.',
  leverageFromOne: 'Leverage must be at least 1.',
  leverageUpTo: (symbol: string, most: number) => `${symbol} allows up to ${most}×.`,
  leverageNow: (leverage: number) => `The position already has ${leverage}×.`,
  sharedMargin: 'This position shares the margin of the account. Only isolated positions have margin of their own.',
  freeMarginIs: (amount: string) => `Your free margin is ${amount}.`,
  positionMarginIs: (amount: string) => `The position has ${amount} of margin. Some of it must stay.`,

  // Messages about positions and orders
  typePercentToClose: 'Type the percentage to close.',
  partRange: 'Enter more than 0% and at most 100%.',
  partTooSmall: (symbol: string) => `That is less than the smallest size of ${symbol}.`,
  positionHolds: (size: string, base: string) => `The position holds ${size} ${base}.`,
  positionSizeUnknown: 'The size of the position is unknown. You can only close all of it.',
  choosePosition: 'Choose a position.',
  chooseOrder: 'Choose an order.',
  stopHasNoLimit: 'A stop order has no limit price.',
  limitHasNoTrigger: 'A limit order has no trigger price.',
  orderIdTooLong: (most: number) => `An order ID has at most ${most} characters.`,
  orderIdTwice: (id: string) => `The order ID ${id} is used twice.`,
  marketNotListed: 'The exchange does not list this market.',
  executorNoLimitClose: 'An executor only closes at market. Sign a limit close with your wallet.',
  executorNoCollateral: 'An executor never moves collateral. Sign this with your wallet.',

  // Messages about collateral
  walletHolds: (amount: string, token: string) => `Your wallet holds ${amount} ${token}.`,
  canWithdraw: (amount: string, token: string) => `You can withdraw ${amount} ${token}.`,
  permitOnlyUsdc: 'You can only deposit USDC by signature.',
  permitNotOffered: 'The exchange accepts no deposits by signature now.',

  // Warnings about combinations that are allowed but rarely intended
  postOnlyIoc: 'A post-only order waits in the book, but immediate or cancel forbids waiting. The exchange may refuse it.',
  postOnlyFok: 'A post-only order waits in the book, but fill or kill forbids waiting. The exchange may refuse it.',
  limitPassed: 'The price has passed this limit. The order would fill immediately.',
  limitPassedPostOnly: 'The price has passed this limit. The exchange would refuse a post-only order.',
  triggerPassed: 'The price has passed this trigger. The order would execute immediately.',
  lossAboveMargin: 'The stop loss costs more than the margin of the position. The liquidation would come first.',

  // Messages about presets of the order form
  orderValueNotANumber: 'The order value must be a number.',
  takeProfitNotInPercent: 'The take profit cannot be converted to percent yet.',
  stopLossNotInPercent: 'The stop loss cannot be converted to percent yet.',

  // Messages about a JSON payload that the user wrote by hand
  payloadNotJson: 'This is not JSON yet. Look for a missing comma, quote or bracket.',
  payloadNotAnObject: 'The payload must be an object. It begins with { and ends with }.',
  payloadOtherMarket: (symbol: string, pairId: number) => `The ticket shows ${symbol}, which is market ${pairId}.`,
  unknownField: 'open_position has no such field.',
  fieldOfOther: (orderType: string) => `A ${orderType} order has no such field. Leave it out.`,
  choiceMissing: (words: string) => `Missing: one of ${words}.`,
  choiceWrong: (words: string) => `Must be one of ${words}.`,
  wholeMissing: 'Missing: a whole number, without quotes.',
  wholeWrong: 'Must be a whole number, without quotes.',
  decimalMissing: 'Missing: a decimal number in quotes, such as "250.5".',
  decimalWrong: 'Must be a decimal number in quotes, such as "250.5".',
  flagWrong: 'Must be true or false.',
  textWrong: 'Must be text in quotes.',

  // Messages about risk limits
  typeLimit: 'Type an amount in USDC, for example 2500.',
  limitAboveZero: 'Enter a number above zero. Leave it empty for no limit.',
  typeMaxLeverage: 'Type a whole number from 1, for example 10.',
  chooseMarkets: 'Choose at least one market, or allow all.',
  typeOrdersPerMinute: 'Type a whole number from 1 to 6000.',
  typeHours: 'Type two different times, such as 08:00 and 17:30.',
  typeSilence: 'Type whole seconds from 10 to 86400.',

  // Messages about the URL of a webhook
  typeUrl: 'Type the URL that receives the events.',
  urlTooLong: (most: number, length: number) => `Use at most ${most} characters. This has ${length}.`,
  notAUrl: 'This is not a URL. A URL begins with https://.',
  urlWithPassword: 'Leave out the user name and password. Deliveries are signed instead.',
  urlOfThisComputer: 'This is an address of this computer. The service only reaches public addresses.',
  urlHttpOrHttps: 'The URL must begin with http:// or https://.',
  urlHttps: 'The URL must begin with https://.',
  urlPort: (ports: string, port: string) => `The service only reaches the ports ${ports}, not ${port}.`,
  urlNotPublic: (host: string) => `${host} is not a public address. The service cannot reach it.`,

  // Messages about a webhook delivery that the user pasted
  nothingPasted: 'There is nothing here yet.',
  pasteTooLarge: 'This text exceeds 2 MB. Paste one delivery, or a HAR with fewer requests.',
  harNotWhole: 'This looks like a HAR, but part of it is missing: it is not valid JSON.',
  harWithoutPost: (requests: number) => `This HAR contains no POST with a body (requests: ${requests}).`,
  bodyAlone: 'This is only a body. Paste its headers above it, then an empty line.',
  pasteUnknown: 'Paste headers with a body, a curl command or a HAR.',
  noEmptyLine: 'Put an empty line between the headers and the body.',
  lineIsNoHeader: (line: number, text: string) => `Line ${line} is not a header: “${text}”.`,
  isNoHeader: (text: string) => `“${text}” is not a header.`,
  curlOfWindows: 'This is curl for the cmd of Windows. Copy it as cURL (bash).',
  curlWithoutBody: 'The command has no body. Add -d or one of the --data options.',
  curlOptionUnread: (option: string) => `${option} is unknown here, or changes what is sent. Paste headers and body instead.`,
  curlOptionEmpty: (option: string) => `${option} has no value: it is at the end of the command.`,
  curlNotInCommand: (option: string) => `The command does not contain what ${option} sends, or curl encodes it. Paste headers and body.`,
  curlNamesFile: (option: string, file: string) => `${option} names a file (${file}). Paste its content with --data-raw.`,
  quoteNotClosed: (quote: string) => `A quote (${quote}) is never closed. Part of the command is missing.`,
  onlyShellKnows: 'The command contains something that only the shell knows, such as $NAME or `command`. Put its value there.',
  zeroByte: 'The command contains a zero byte, which no shell passes on.',
  noCharacter: (sequence: string) => `${sequence} is not a character.`,
})

/** Returns the sentence for a form's validation message. An unknown code is shown unchanged. */
export function formIssueText([code, ...facts]: FormIssue | readonly [string, ...(string | number)[]]): string {
  const text: unknown = textOf(formWords, code)
  if (typeof text === 'string') return text
  return typeof text === 'function' ? String(text(...facts)) : code
}
