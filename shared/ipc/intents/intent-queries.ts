/** Queries that show an intent. Their answers are stale as soon as any part of the intent changes. */
export const intentQueries = [
  'intents.list',
  'intents.get',
  'intents.prepared',
  'intents.execution',
  'agents.payments',
  'agents.payment',
  'app.attention',
] as const

/** Queries whose answers are stale once an intent changes its state. */
export const movedQueries = [...intentQueries, 'intents.underway', 'intents.evidence', 'intents.unknown', 'gaps.check'] as const

/** Queries that read the account from the service. Their answers are stale once the account may have changed. */
export const accountQueries = ['account.summary', 'account.positions', 'account.orders', 'account.collateral', 'account.riskPreview'] as const

/** Queries that show or need the sign-in. Their answers are stale as soon as a sign-in starts or ends. */
export const signInQueries = ['session.status', 'keys.list', 'keys.unmatched', 'webhooks.list', 'webhooks.unmatched', 'app.attention'] as const
