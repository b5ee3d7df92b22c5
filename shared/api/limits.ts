import { day, hour, minute, second } from '../time.ts'

/** Every number in the API document's Limits table, and the related numbers of Authentication and Flow rules. */
export const limits = {
  /** Maximum size of a request body in bytes: 48 KiB. */
  requestBodyBytes: 48 * 1_024,
  /** Maximum number of requests per second from one IP address to `/api/dex/developer/...`. */
  developerRequestsPerSecond: 10,
  activeKeysPerWallet: 10,
  keysListed: 64,
  keyExpiryDays: { min: 1, max: 2_000, default: 180 },
  /** The only lifetimes in days that the expiry route accepts. */
  expiryRouteDays: [30, 90, 360, 2_000],
  developerSessionMs: 4 * hour,
  challengeMs: 5 * minute,
  challengeWrongSignatures: 5,
  keyPreparationMs: 30 * minute,
  preparedLifetimeMs: { trading: 120 * second, collateral: 180 * second, signedIntent: 300 * second },
  idempotencyKey: { minLength: 8, maxLength: 128, pattern: /^[A-Za-z0-9._:-]{8,128}$/, rememberedMs: 24 * hour },
  clientOrderIdLength: 96,
  priceAgeMs: 8 * second,
  slippageBps: { min: 1, max: 1_000 },
  orderValueDecimals: 6,
  batchActions: { min: 1, max: 32 },
  page: { default: 50, max: 200 },
  candleHistory: 50_000,
  marksMarkets: { min: 1, max: 12 },
  /** With fewer confirmations than this, an execution is `PENDING_FINALITY`. */
  finalityConfirmations: 8,
  webhooks: { active: 8, urlLength: 512, ports: [443, 8_443] },
  webhookDelivery: { answerMs: 4 * second, attempts: 4, waitsMs: [2 * second, 4 * second, 8 * second], toleranceMs: 300 * second },
  webhookEventIdLength: 96,
  streamHeartbeatMs: 12 * second,
  requestId: { minLength: 8, maxLength: 80, pattern: /^[A-Za-z0-9._:-]{8,80}$/ },
  chainId: 8_453,
} as const

/** Converts days to milliseconds. Lifetimes of keys and grants are whole numbers of days. */
export const daysInMs = (days: number): number => days * day
