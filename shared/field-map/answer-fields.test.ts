import { expect, test } from 'vitest'
import { endpoints } from '../api/endpoints/all-endpoints.ts'
import { answerFields } from './answer-fields.ts'

test('a field map may contain every undocumented field that a service check lists', () => {
  const checked = Object.values(endpoints).filter(({ route, scope }) => route.startsWith('GET ') || scope === 'by_action' || route.endsWith('/risk/preview'))
  const left = checked.flatMap(({ response }) =>
    (response.inspect?.([{}], undefined) ?? [])
      .concat(response.inspect?.({}, undefined) ?? [])
      .flatMap(({ resource, fields }) =>
        fields.flatMap(({ field, documented }) => (documented || answerFields[resource]?.[field] !== undefined ? [] : [`${resource}.${field}`])),
      ),
  )
  expect([...new Set(left)]).toEqual([])
})

test('the app protects contract and chain fields, but not the size of a position, against imported field maps', () => {
  expect(answerFields.meta?.contracts).toMatchObject({ guarded: true })
  expect(answerFields.config?.chainId).toMatchObject({ guarded: true })
  expect(answerFields.contracts).toBeUndefined()
  expect(answerFields.preparation).toBeUndefined()
  expect(answerFields.position?.size).toMatchObject({ documented: false, guarded: false, units: 'amount' })
})
