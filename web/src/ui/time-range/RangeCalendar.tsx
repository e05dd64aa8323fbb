import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import { type DateRange, DateRangePicker } from '@blueprintjs/datetime'

interface RangeCalendarProps {
  /** Milliseconds since the epoch. */
  now: number
  value: DateRange
  onChange: (value: DateRange) => void
}

/** Years that can be picked; any other can be typed. */
const YEARS_AROUND = 10

// Blueprint would load its words by a computed path that no build contains; without them it speaks English.
const withoutLocale = async (): Promise<undefined> => undefined

/** One month of days from which both ends are picked. */
export function RangeCalendar({ now, value, onChange }: RangeCalendarProps) {
  const year = new Date(now).getFullYear()
  const [first, last] = [new Date(year - YEARS_AROUND, 0, 1), new Date(year + YEARS_AROUND, 11, 31)]
  const isShown = value.every((day) => day === null || (day >= first && day <= last))
  return (
    <div className="wr-range-calendar">
      <DateRangePicker
        value={isShown ? value : [null, null]}
        onChange={onChange}
        initialMonth={(isShown ? (value[0] ?? value[1]) : null) ?? new Date(now)}
        minDate={first}
        maxDate={last}
        allowSingleDayRange
        singleMonthOnly
        highlightCurrentDay
        shortcuts={false}
        dateFnsLocaleLoader={withoutLocale}
        dayPickerProps={{ weekStartsOn: 1 }}
      />
    </div>
  )
}
