/** What tells of the sign-in or is read with it: old as soon as one begins or ends. */
export const signInQueries = ['session.status', 'keys.list', 'keys.orphans', 'webhooks.list', 'webhooks.orphans', 'app.attention'] as const
