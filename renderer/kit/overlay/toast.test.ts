import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createToasts, ToastProvider } from './toast.tsx'

const notice = (title: string) => ({ tone: 'ok', title, text: 'Done.', action: null }) as const

test('a new toast replaces an earlier toast that has the same text', () => {
  const toasts = createToasts()
  for (const title of ['Secret copied', 'Signed in', 'Secret copied']) toasts.getState().show(notice(title))
  expect(toasts.getState().shown.map((toast) => toast.title)).toEqual(['Signed in', 'Secret copied'])
})

test('the app shows at most three toasts, and removes the oldest', () => {
  const toasts = createToasts()
  for (const title of ['a', 'b', 'c', 'd']) toasts.getState().show(notice(title))
  expect(toasts.getState().shown.map((toast) => toast.title)).toEqual(['b', 'c', 'd'])
})

test('the app shows the newest toast first', () => {
  const toasts = createToasts()
  for (const title of ['Secret copied', 'Signed in']) toasts.getState().show(notice(title))
  // `renderToStaticMarkup` reads the store's initial state, so return the current one as the initial one.
  const store = { ...toasts, getInitialState: toasts.getState }
  // biome-ignore lint/correctness/noChildrenProp: the type requires the property
  const drawn = renderToStaticMarkup(createElement(ToastProvider, { store, children: null }))
  expect([...drawn.matchAll(/<b>(.*?)<\/b>/g)].map(([, title]) => title)).toEqual(['Signed in', 'Secret copied'])
})
