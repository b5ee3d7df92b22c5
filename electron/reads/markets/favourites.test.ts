import { expect, test } from 'vitest'
import { startDesk, value } from '../../../e2e/support/main/desk.ts'
import { raw } from '../../store/records/raw.ts'

test('favourites are kept in the order of choosing, each once, and outlive a restart', async () => {
  const desk = await startDesk()
  try {
    const set = async (pairId: number, favourite: boolean) => value(await desk.handlers()['markets.setFavourite']({ pairId, favourite })).pairIds
    expect(value(await desk.handlers()['markets.favourites']({}))).toEqual({ pairIds: [] })
    expect(await set(12, true)).toEqual([12])
    expect(await set(3, true)).toEqual([12, 3])
    expect(await set(12, true)).toEqual([3, 12])
    expect(await set(7, false)).toEqual([3, 12])
    await desk.restart()
    expect(value(await desk.handlers()['markets.favourites']({}))).toEqual({ pairIds: [3, 12] })
    desk.journal()[raw].values.set('markets/practice/favourites', '{"not":"a list"}')
    expect(value(await desk.handlers()['markets.favourites']({}))).toEqual({ pairIds: [] })
  } finally {
    await desk.stop()
  }
})
