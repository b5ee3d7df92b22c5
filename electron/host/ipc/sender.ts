/** A frame as Electron describes it, as far as trust depends on it. */
export interface Frame {
  readonly url: string
}

/** Where the app's own pages come from. */
export interface PageOrigin {
  /** With the colon, as `URL` writes it. */
  readonly protocol: string
  readonly host: string
}

export const bundleOrigin: PageOrigin = { protocol: 'app:', host: 'bundle' }

/**
 * Whether a message comes from the page that a window shows: its frame is the very main frame of that window (a frame
 * inside it, or one that is gone and so null, is not), and the page is one of the app's own, by exact scheme and host.
 */
export function isFromPage(sender: Frame | null | undefined, mainFrame: Frame | null | undefined, origin: PageOrigin): boolean {
  if (sender === null || sender === undefined || sender !== mainFrame) return false
  const url = URL.parse(sender.url)
  return url !== null && url.protocol === origin.protocol && url.host === origin.host
}
