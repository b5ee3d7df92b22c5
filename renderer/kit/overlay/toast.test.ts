import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createToasts, ToastProvider } from './toast.tsx'

const notice = (title: string) => ({ tone: 'ok', title, text: 'Done.', action: null }) as const

const failure = (title: string) => ({ tone: 'danger', title, text: 'Try again.', action: null }) as const
const titles = (shown: readonly { readonly title: string }[]): readonly string[] => shown.map(({ title }) => title)

test('a new toast replaces the earlier one of the same importance', () => {
  const toasts = createToasts()
  for (const title of ['Secret copied', 'Signed in', 'Secret copied']) toasts.getState().show(notice(title))
  expect(titles(toasts.getState().shown)).toEqual(['Secret copied'])
})

test('errors stay beside newer toasts, at most three at once; without an error, news stays beside a confirmation', () => {
  const toasts = createToasts()
  const shown = () => titles(toasts.getState().shown)
  toasts.getState().show({ ...notice('Order filled'), action: { label: 'Open', run: () => undefined } })
  toasts.getState().show(notice('Signed in'))
  expect(shown()).toEqual(['Order filled', 'Signed in'])
  toasts.getState().show(failure('Not revoked'))
  expect(shown()).toEqual(['Order filled', 'Not revoked'])
  toasts.getState().show(notice('Secret copied'))
  expect(shown()).toEqual(['Not revoked', 'Secret copied'])
  toasts.getState().show(failure('Not sent'))
  expect(shown()).toEqual(['Not revoked', 'Not sent'])
  for (const title of ['Not sent', 'Not saved', 'Not closed']) toasts.getState().show(failure(title))
  expect(shown()).toEqual(['Not sent', 'Not saved', 'Not closed'])
})

test('the app shows the newest toast first', () => {
  const toasts = createToasts()
  toasts.getState().show(failure('Not revoked'))
  toasts.getState().show(notice('Signed in'))
  // `renderToStaticMarkup` reads the store's initial state, so return the current one as the initial one.
  const store = { ...toasts, getInitialState: toasts.getState }
  // biome-ignore lint/correctness/noChildrenProp: the type requires the property
  const drawn = renderToStaticMarkup(createElement(ToastProvider, { store, children: null }))
  expect([...drawn.matchAll(/<b>(.*?)<\/b>/g)].map(([, title]) => title)).toEqual(['Signed in', 'Not revoked'])
})
