/** What shows an intent: old as soon as anything of it changes. */
export const intentQueries = [
  'intents.list',
  'intents.get',
  'intents.prepared',
  'intents.execution',
  'agents.payments',
  'agents.payment',
  'app.attention',
] as const

/** What is old once an intent is in another state. */
export const movedQueries = [...intentQueries, 'intents.underway', 'intents.evidence', 'intents.unknown', 'gaps.check'] as const

/** Reads of the account, for which the service is asked: old once it may have changed. */
export const accountQueries = ['account.summary', 'account.positions', 'account.orders', 'account.collateral', 'account.riskPreview'] as const

/** What tells of the sign-in or is read with it: old as soon as one begins or ends. */
export const signInQueries = ['session.status', 'keys.list', 'keys.orphans', 'webhooks.list', 'webhooks.orphans', 'app.attention'] as const
