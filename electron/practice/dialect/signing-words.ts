/**
 * Names that contracts of other exchanges use for the values that a trader signs and the functions that a trader calls. If a number has an unusual
 * scale, its name ends with the scale.
 */
export const signingNames: Readonly<Record<string, readonly [string, ...string[]]>> = {
  trader: ['trader', 'account', 'user', 'owner', 'maker', 'wallet', 'signer'],
  pairId: ['pairId', 'marketId', 'marketIndex', 'instrumentId', 'perpId', 'productId', 'assetIndex'],
  side: ['side', 'direction', 'orderSide', 'tradeSide'],
  orderType: ['orderType', 'kind', 'ordType', 'executionType'],
  marginMode: ['marginMode', 'marginType', 'collateralMode', 'marginKind'],
  leverage: ['leverage', 'lev', 'leverageX', 'multiplier'],
  orderValue: ['orderValue', 'notional', 'sizeUsd', 'orderNotional', 'quoteAmount', 'valueUsdc'],
  referencePrice: ['referencePrice', 'expectedPrice', 'oraclePrice', 'seenPrice', 'indexAtSigning'],
  maxSlippageBps: ['maxSlippage', 'slippage', 'slippageTolerance', 'allowedSlippage'],
  limitPrice: ['limitPrice', 'limitPx', 'limit', 'restingPrice'],
  triggerPrice: ['triggerPrice', 'triggerPx', 'stopPrice', 'activationPrice'],
  timeInForce: ['timeInForce', 'tif', 'duration', 'orderLifetime'],
  restIfUnfilled: ['restIfUnfilled', 'restRemainder', 'keepRemainder', 'allowResting'],
  postOnly: ['postOnly', 'makerOnly', 'addLiquidityOnly', 'isPostOnly'],
  takeProfit: ['takeProfit', 'tpPrice', 'takeProfitPrice', 'profitTarget'],
  stopLoss: ['stopLoss', 'slPrice', 'stopLossPrice', 'lossLimit'],
  clientOrderId: ['clientOrderId', 'cloid', 'clientId', 'userOrderRef'],
  nonce: ['nonce', 'sequence', 'orderNonce', 'seqNo'],
  deadline: ['deadline', 'validUntil', 'expiry', 'expiresAt', 'goodTill'],
  positionId: ['positionId', 'posId', 'positionKey', 'position', 'holdingId'],
  orderId: ['orderId', 'id', 'orderKey', 'oid'],
  size: ['size', 'closeSize', 'qty', 'baseAmount', 'quantity'],
  amount: ['amount', 'marginAmount', 'value', 'assets', 'collateralDelta'],
  token: ['token', 'asset', 'collateralToken', 'currency'],
  wallet: ['wallet', 'owner', 'principal', 'account', 'grantor'],
  agent: ['agent', 'delegate', 'sessionKey', 'operator', 'tradingKey'],
  permissions: ['permissions', 'scope', 'rights', 'allowed'],
  expiresAt: ['expiresAt', 'validUntil', 'expiry', 'until'],
}

export const structNames: Readonly<Record<string, readonly [string, ...string[]]>> = {
  OpenPosition: ['OpenPosition', 'OpenOrder', 'PlaceOrder', 'CreateOrder', 'IncreasePosition', 'NewOrder'],
  ClosePosition: ['ClosePosition', 'CloseOrder', 'ReducePosition', 'DecreasePosition', 'ExitPosition'],
  InvertPosition: ['InvertPosition', 'FlipPosition', 'ReversePosition', 'TurnPosition'],
  AgentGrant: ['AgentGrant', 'ApproveAgent', 'AuthorizeAgent', 'DelegateTrading'],
}

export const functionNames: Readonly<Record<string, readonly [string, ...string[]]>> = {
  updateTpSl: ['setExits', 'updateTriggers', 'setTakeProfitStopLoss', 'modifyTpSl'],
  addMargin: ['increaseMargin', 'addCollateralToPosition', 'topUpMargin', 'depositMargin'],
  reduceMargin: ['decreaseMargin', 'removeMargin', 'releaseMargin', 'withdrawMargin'],
  changeLeverage: ['setLeverage', 'updateLeverage', 'adjustLeverage'],
  cancelOrder: ['cancel', 'cancelOrderById', 'revokeOrder', 'removeOrder'],
  replaceOrder: ['modifyOrder', 'amendOrder', 'editOrder', 'updateOrder'],
  deposit: ['depositUsdc', 'addFunds', 'depositCollateral', 'fundAccount'],
  depositToken: ['depositAsset', 'depositCollateralToken', 'addAsset'],
  withdraw: ['withdrawUsdc', 'removeFunds', 'withdrawCollateral'],
  withdrawToken: ['withdrawAsset', 'withdrawCollateralToken', 'removeAsset'],
}

/**
 * Words that a signing format may write as numbers. The number is the word's position in its list below, plus a start value that the format chooses.
 */
export const codes: Readonly<Record<string, readonly string[]>> = {
  side: ['long', 'short'],
  orderType: ['market', 'limit', 'stop'],
  marginMode: ['cross', 'isolated'],
  timeInForce: ['gtc', 'ioc', 'fok'],
}
