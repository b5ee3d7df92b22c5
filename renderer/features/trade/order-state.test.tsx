import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OrderState } from './blotter.tsx'

test('an open order that is filled in part says so, with the size filled so far [ACC-01]', () => {
  const textOf = (status: string, filledSize: string | null) =>
    renderToStaticMarkup(<OrderState order={{ status, filledSize }} market={undefined} />).replace(/<[^>]*>/g, '')
  expect(textOf('partially_filled', '0.0012')).toBe('Partly filled 0.0012 filled')
  expect(textOf('open', '0')).toBe('Open')
  expect(textOf('open', null)).toBe('Open')
})
