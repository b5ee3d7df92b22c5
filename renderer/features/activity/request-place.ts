/** Where one request is shown, by the id that it was sent with; null: all of them. */
export const requestPlace = (id: string | null): string => `${id === null ? 'activity' : `activity/${encodeURIComponent(id)}`}?tab=requests`
