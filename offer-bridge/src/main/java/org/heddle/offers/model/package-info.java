// SPDX-License-Identifier: Apache-2.0
/** Values of the offer bridge, such as amounts of resources. They know no Hadoop, no wire format and no clock. */
@NullMarked
package org.heddle.offers.model;

import org.jspecify.annotations.NullMarked;
