const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** `512 B`, `1.4 KiB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  const amount = bytes / 1024 ** power
  return `${power === 0 ? amount : Number(amount.toFixed(amount < 10 ? 1 : 0))} ${UNITS[power]}`
}
