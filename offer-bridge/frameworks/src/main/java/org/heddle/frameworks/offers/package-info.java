// SPDX-License-Identifier: Apache-2.0
/** What every framework needs: options of its command, sizes, tasks, the pages of the bridge. */
@NullMarked
package org.heddle.frameworks.offers;

import org.jspecify.annotations.NullMarked;
