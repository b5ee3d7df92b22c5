/** Rows of the performance table that this version does not measure, each with the reason. */
export const notMeasured: readonly { readonly metric: string; readonly why: string }[] = [
  { metric: 'Ticket to wallet', why: 'the product asks twice, to review and to send, and nothing tells the bench when the second request leaves the page' },
]
