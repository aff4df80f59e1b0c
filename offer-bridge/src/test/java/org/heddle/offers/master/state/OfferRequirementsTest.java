// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.scheduler.Protos.AttributeConstraint;
import org.apache.mesos.v1.scheduler.Protos.OfferConstraints;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes a framework wants. */
class OfferRequirementsTest {
    private static final FrameworkInfo INFO =
            FrameworkInfo.newBuilder().setUser("u").setName("wishing").build();
    private static final ClusterNode NODE = new ClusterNode(
            "n1:1",
            "node-17.east",
            "10.0.0.1",
            "/rack-b",
            "n1:2",
            Resources.of(1000, 1000),
            Resources.NONE,
            true,
            0,
            Map.of("disk", "ssd", "zone", ""));

    @ParameterizedTest(name = "{0} {1} {2}: {3}")
    @CsvSource(
            delimiter = ';',
            value = {
                "disk ; exists ; ; true",
                "gpu ; exists ; ; false",
                "gpu ; not exists ; ; true",
                "disk ; equals ; ssd ; true",
                "disk ; equals ; hdd ; false",
                "gpu ; not equals ; ssd ; true",
                "rack ; equals ; /rack-b ; true",
                "disk ; matches ; s+d ; true",
                "disk ; matches ; s ; false", // the whole text
                "disk ; matches ; .*s.* ; true",
                "hostname ; matches ; node-[0-9]+\\.(east|west) ; true",
                "hostname ; not matches ; node-.* ; false",
                "gpu ; matches ; .* ; false", // there is none
                "gpu ; not matches ; .* ; true",
                "zone ; matches ; '' ; true",
                "disk ; matches ; (a*)*b ; false", // ends soon: time is linear in the text
            })
    void nodesAreWanted(String attribute, String predicate, String value, boolean wanted) {
        OfferConstraints constraints = constraints(attribute, predicate, value == null ? "" : value);
        assertThat(OfferRequirements.problem(INFO, constraints)).isNull();
        assertThat(OfferRequirements.of(INFO, constraints, "*").wants(NODE)).isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource({"(,missing closing )", "'(?<=a)b',RE2 cannot read", "a{2000},RE2 cannot read"})
    void whatCannotBeReadIsRefused(String regex, String message) {
        assertThat(OfferRequirements.problem(INFO, constraints("disk", "matches", regex)))
                .contains(message)
                .contains(regex);
    }

    private static OfferConstraints constraints(String attribute, String predicate, String value) {
        AttributeConstraint.Builder constraint = AttributeConstraint.newBuilder();
        if (attribute.equals("hostname")) {
            constraint
                    .getSelectorBuilder()
                    .setPseudoattributeType(AttributeConstraint.Selector.PseudoattributeType.HOSTNAME);
        } else {
            constraint.getSelectorBuilder().setAttributeName(attribute);
        }
        AttributeConstraint.Predicate.Builder made = constraint.getPredicateBuilder();
        switch (predicate) {
            case "exists" -> made.getExistsBuilder();
            case "not exists" -> made.getNotExistsBuilder();
            case "equals" -> made.getTextEqualsBuilder().setValue(value);
            case "not equals" -> made.getTextNotEqualsBuilder().setValue(value);
            case "matches" -> made.getTextMatchesBuilder().setRegex(value);
            default -> made.getTextNotMatchesBuilder().setRegex(value);
        }
        return OfferConstraints.newBuilder()
                .putRoleConstraints(
                        "*",
                        OfferConstraints.RoleConstraints.newBuilder()
                                .addGroups(OfferConstraints.RoleConstraints.Group.newBuilder()
                                        .addAttributeConstraints(constraint))
                                .build())
                .build();
    }
}
