// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The samples that a test class loads, as globs below {@code conf-samples}; {@link EverySampleIsLoadedTest} adds up.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Loads {
    String[] value();
}
