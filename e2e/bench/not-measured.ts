/** Rows of the performance table that this version does not measure, each with the reason. */
export const notMeasured: readonly { readonly metric: string; readonly why: string }[] = [
  { metric: 'Ticket to wallet', why: 'needs a paired and signed-in account with a key, which the bench does not set up' },
  { metric: 'Memory after 60 simulated minutes of live views', why: 'needs the same account, and an hour by the practice clock' },
]
