// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

/** What has one YARN application of its own: a framework in one of its roles. */
public record ApplicationKey(String frameworkId, String role) {}
