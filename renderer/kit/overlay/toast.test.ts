import { expect, test } from 'vitest'
import { createToasts } from './toast.tsx'

const notice = (title: string) => ({ tone: 'ok', title, text: 'Done.', action: null }) as const

test('the same words again take the place of the earlier ones', () => {
  const toasts = createToasts()
  for (const title of ['Secret copied', 'Signed in', 'Secret copied']) toasts.getState().show(notice(title))
  expect(toasts.getState().shown.map((toast) => toast.title)).toEqual(['Signed in', 'Secret copied'])
})

test('only the last four stay', () => {
  const toasts = createToasts()
  for (const title of ['a', 'b', 'c', 'd', 'e']) toasts.getState().show(notice(title))
  expect(toasts.getState().shown.map((toast) => toast.title)).toEqual(['b', 'c', 'd', 'e'])
})
