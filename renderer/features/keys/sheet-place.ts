/** What lies under a key's sheet and is there again when it closes. Without one it is the key's own page. */
export type Under = 'list' | 'radar'

/** Where each of them is. */
export const underPlaces: Readonly<Record<Under, string>> = { list: 'keys', radar: 'keys/radar' }

const isUnder = (text: string | undefined): text is Under => text !== undefined && Object.hasOwn(underPlaces, text)

/** `keys/<id>/rotate?over=list`: the sheet `rotate` of a key, over the list of keys. */
export const sheetPlace = (keyId: string, action: string, under: Under | null): string =>
  `keys/${encodeURIComponent(keyId)}/${action}${under === null ? '' : `?over=${under}`}`

export const underOf = (query: Readonly<Record<string, string>>): Under | null => (isUnder(query.over) ? query.over : null)
