/** Why an item was deleted that its scraper keeps no longer. `delete_old_config_items` has the same words. */
export const AGE_REASON = 'its scraper keeps items of this type no longer'
