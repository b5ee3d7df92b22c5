import type { Place } from '../kit/layout/navigation.tsx'

/** The pages inside the frame. */
export const pages = ['overview', 'trade', 'account', 'markets', 'keys', 'webhooks', 'activity', 'settings'] as const
export type PageName = (typeof pages)[number]

/** Pages that fill the window. */
const fullPages = ['connect'] as const

const known: ReadonlySet<string> = new Set([...pages, ...fullPages])

/** Reads an address such as `keys/new` or `#/activity/abc?tab=requests`. What is not known leads to the overview. */
export function parsePlace(text: string): Place {
  const [path = '', search = ''] = text.replace(/^#?\/*/, '').split('?')
  const [name = '', ...rest] = path.split('/').filter(Boolean).map(decode)
  if (!known.has(name)) return { name: 'overview', rest: [], query: {} }
  return { name, rest, query: Object.fromEntries(new URLSearchParams(search)) }
}

export function formatPlace({ name, rest, query }: Place): string {
  const search = new URLSearchParams(query).toString()
  return `#/${[name, ...rest.map(encodeURIComponent)].join('/')}${search === '' ? '' : `?${search}`}`
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
