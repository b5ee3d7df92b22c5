import { expect, test } from 'vitest'
import { isWhole, listCount, missingText } from './page-cut-text.ts'

test('the app says which entries are missing from a list, and says nothing about a complete list [ERR-02]', () => {
  const said = (unreadable: number, more: boolean) => missingText({ unreadable, more }, 'webhook')
  expect([said(0, false), isWhole({ unreadable: 0, more: false })]).toEqual([null, true])
  expect([said(1, false), isWhole({ unreadable: 1, more: false })]).toEqual([
    '1 webhook is missing: the service lists it in a form that the app cannot read.',
    false,
  ])
  expect([said(2, true), isWhole({ unreadable: 0, more: true })]).toEqual([
    '2 webhooks are missing: the service lists them in a form that the app cannot read. There are more webhooks than listed here.',
    false,
  ])
})

test('the count on the tab of a list that may lack entries says that there may be more', () => {
  expect([listCount(12, true), listCount(12, false), listCount(0, false)]).toEqual([12, '12+', '0+'])
})
