/** Seeds that each generate a year of random data. The test views each year in another time zone, where days begin at another time. */
export const years = [
  { seed: 230, zone: 'America/Los_Angeles' },
  { seed: 11, zone: 'Asia/Tokyo' },
  { seed: 4_099, zone: 'Pacific/Kiritimati' },
] as const
