/** Version of the console's interface that Watchroom implements (first specification, section 9). */
export const FRONTEND_VERSION = '1.0.782'

/** Where `/` leads. */
export const HOME_PATH = '/health'
