// Blueprint's style sheet, before our own so that `theme.css` has the last word.
import '@blueprintjs/core/lib/css/blueprint.css'
