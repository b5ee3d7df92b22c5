import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { late } from './late.tsx'

const Page = ({ name }: { readonly name: string }) => <p>{name}</p>
const Waiting = () => <i>…</i>

test('a part of a window that loads late shows a placeholder until its code has loaded, and its content in the very next rendering', async () => {
  const View = late(async () => Page, Waiting)
  expect(renderToStaticMarkup(<View name="Keys" />)).toBe('<i>…</i>')
  await View.preload()
  expect(renderToStaticMarkup(<View name="Keys" />)).toBe('<p>Keys</p>')
})

test('a part of a window that loads late tries to load its code again after the first attempt failed', async () => {
  let isBroken = true
  const View = late(async () => {
    if (isBroken) throw new Error('not there')
    return Page
  })
  await expect(View.preload()).rejects.toThrow('not there')
  expect(renderToStaticMarkup(<View name="Keys" />)).toBe('')
  isBroken = false
  await View.preload()
  expect(renderToStaticMarkup(<View name="Keys" />)).toBe('<p>Keys</p>')
})
