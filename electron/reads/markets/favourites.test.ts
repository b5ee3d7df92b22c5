import { expect, test } from 'vitest'
import { startWorkspace, value } from '../../../e2e/support/main/workspace.ts'
import { raw } from '../../store/records/raw.ts'

test('the list of favourite markets keeps its order across a restart, and contains no duplicates', async () => {
  const workspace = await startWorkspace()
  try {
    const set = async (pairId: number, favourite: boolean) => value(await workspace.handlers()['markets.setFavourite']({ pairId, favourite })).pairIds
    expect(value(await workspace.handlers()['markets.favourites']({}))).toEqual({ pairIds: [] })
    expect(await set(12, true)).toEqual([12])
    expect(await set(3, true)).toEqual([12, 3])
    expect(await set(12, true)).toEqual([3, 12])
    expect(await set(7, false)).toEqual([3, 12])
    await workspace.restart()
    expect(value(await workspace.handlers()['markets.favourites']({}))).toEqual({ pairIds: [3, 12] })
    workspace.journal()[raw].values.set('markets/practice/favourites', '{"not":"a list"}')
    expect(value(await workspace.handlers()['markets.favourites']({}))).toEqual({ pairIds: [] })
  } finally {
    await workspace.stop()
  }
})
