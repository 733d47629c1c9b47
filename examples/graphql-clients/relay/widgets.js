// What the Relay compiler reads: two widgets on one campaign, and the list of one of them, which goes on page by page.
graphql`
  query widgetsHeadQuery($id: ID!) {
    campaign(id: $id) {
      id
      name
      status
      progress {
        id
        completed
      }
    }
  }
`;

graphql`
  query widgetsBodyQuery($id: ID!) {
    campaign(id: $id) {
      id
      phase
      progress {
        total
      }
      lines {
        name
      }
      ...widgets_contacts
    }
  }
`;

graphql`
  fragment widgets_contacts on Campaign
  @refetchable(queryName: "widgetsContactsQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 1 }, cursor: { type: "String" }) {
    contacts(first: $count, after: $cursor) @connection(key: "widgets_contacts") {
      edges {
        node {
          phoneNumber
          campaign {
            name
          }
        }
      }
    }
  }
`;

graphql`
  mutation widgetsRenameMutation($id: ID!, $name: String!) {
    updateCampaign(id: $id, input: { name: $name }) {
      ... on Campaign {
        id
        name
      }
    }
  }
`;
